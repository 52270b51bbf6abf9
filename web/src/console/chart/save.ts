/** A chart as a file that looks as it does on the page. */

export type PictureFormat = 'svg' | 'png';

const LOOK = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
/** For screens whose pixels are small. */
const SCALE = 2;

/** What is on the page of a chart. */
export interface ChartPicture {
  readonly svg: SVGSVGElement;
  /** The names of the colours. */
  readonly legend: HTMLElement | null;
}

/** @throws Error where the browser does not draw it */
export async function chartFile({ svg, legend }: ChartPicture, format: PictureFormat): Promise<string | Uint8Array> {
  const above = legend === null ? 0 : Math.ceil(legend.getBoundingClientRect().height);
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value + above];
  const text = standalone(svg, legend, { width, height, above });
  return format === 'svg' ? text : pngOf(text, width, height);
}

const SVG = 'http://www.w3.org/2000/svg';

interface Room {
  readonly width: number;
  readonly height: number;
  /** For the legend. */
  readonly above: number;
}

/** With the colours and letters written out, which the page has from its stylesheets, and on the ground that it is on. */
function standalone(svg: SVGSVGElement, legend: HTMLElement | null, { width, height, above }: Room): string {
  const chart = element('g', { transform: `translate(0 ${above})` });
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  for (const [index, original] of svg.querySelectorAll('*').entries()) {
    const style = getComputedStyle(original);
    const target = copies[index];
    if (target === undefined) continue;
    for (const property of LOOK) target.setAttribute(property, style.getPropertyValue(property));
    target.removeAttribute('class');
  }
  copy.querySelector('[data-active]')?.remove();
  chart.append(...copy.childNodes);
  const ground = element('rect', { width, height, fill: getComputedStyle(svg).backgroundColor });
  const whole = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  whole.append(ground, ...legendShapes(legend), chart);
  return new XMLSerializer().serializeToString(whole);
}

/** Where they stand on the page. */
function legendShapes(legend: HTMLElement | null): readonly SVGElement[] {
  if (legend === null) return [];
  const origin = legend.getBoundingClientRect();
  return [...legend.children].flatMap(item => {
    const [swatch, name] = [...item.children];
    if (swatch === undefined || name === undefined) return [];
    const [box, text] = [swatch.getBoundingClientRect(), name.getBoundingClientRect()];
    const { color, fontFamily, fontSize } = getComputedStyle(name);
    const square = element('rect', {
      x: box.x - origin.x,
      y: box.y - origin.y,
      width: box.width,
      height: box.height,
      rx: 2,
      fill: getComputedStyle(swatch).backgroundColor,
    });
    const place = { x: text.x - origin.x, y: text.y - origin.y + text.height * 0.75 };
    const label = element('text', { ...place, fill: color, 'font-family': fontFamily, 'font-size': fontSize });
    label.textContent = name.textContent;
    return [square, label];
  });
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

async function pngOf(svg: string, width: number, height: number): Promise<Uint8Array> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext('2d');
  context?.scale(SCALE, SCALE);
  context?.drawImage(image, 0, 0, width, height);
  const file = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (file === null) throw new Error('The browser could not render the chart as an image');
  return new Uint8Array(await file.arrayBuffer());
}
