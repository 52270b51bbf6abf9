/** Colours on a terminal, those of native Dolt. */
import { ownControl } from './terminal.ts';

const CODES = {
  bold: '1',
  green: '32',
  greenBold: '1;32',
  redBold: '1;31',
  red: '31',
  yellow: '33',
  cyanBold: '36;1',
  brightGreen: '92',
  brightYellow: '93',
  brightRed: '91',
} as const;

export type Color = keyof typeof CODES;

/** The text in a color, where they are wanted. */
export function paint(text: string, color: Color, useColor: boolean): string {
  return useColor && text !== '' ? `${ownControl(`[${CODES[color]}m`)}${text}${ownControl('[0m')}` : text;
}
