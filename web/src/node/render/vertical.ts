/** Results with one value per line. */
import type { Batch, Column } from '../../client/index.ts';
import { cellText, displayWidth } from './cell.ts';
import type { Renderer, Shown } from './renderer.ts';

const STARS = '*'.repeat(27);

/** One line for each value, under a numbered heading for each row. */
export function verticalRenderer(shown: Shown): Renderer {
  let names: readonly string[] = [];
  let number = 0;
  return {
    begin(columns: readonly Column[]) {
      const titles = columns.map(({ name }) => shown(name));
      const width = Math.max(0, ...titles.map(displayWidth));
      names = titles.map(name => ' '.repeat(width - displayWidth(name)) + name);
      return '';
    },
    batch(batch: Batch) {
      let text = '';
      for (let row = 0; row < batch.rowCount; row++) {
        text += `${STARS} ${++number}. row ${STARS}\n`;
        names.forEach((name, index) => {
          text += `${name}: ${shown(cellText(batch.column(index), row) ?? 'NULL')}\n`;
        });
        text += '\n';
      }
      return text;
    },
    end: () => '\n',
  };
}
