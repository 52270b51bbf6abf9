import type { TextMetrics } from './columns.ts';

const FALLBACK: TextMetrics = { cellCharPx: 7.3, headerCharPx: 6.6, typeCharPx: 5.6 };

let measured: TextMetrics | undefined;

/** Widths of characters in the grid's fonts, measured once. */
export function textMetrics(): TextMetrics {
  if (measured !== undefined) return measured;
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return FALLBACK;
  const style = getComputedStyle(document.documentElement);
  const mean = (font: string, sample: string): number => {
    context.font = font;
    return context.measureText(sample).width / sample.length;
  };
  const mono = style.getPropertyValue('--font-mono');
  const ui = style.getPropertyValue('--font-ui');
  measured = {
    cellCharPx: mean(`12px ${mono}`, '0123456789'),
    headerCharPx: mean(`600 12px ${ui}`, 'customer_identifier'),
    typeCharPx: mean(`11px ${ui}`, 'varchar(255) unsigned'),
  };
  return measured;
}
