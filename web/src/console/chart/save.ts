/** A chart as a file that looks as it does on the page. */

export type PictureFormat = 'svg' | 'png';

const LOOK = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
/** For screens whose pixels are small. */
const SCALE = 2;

/** @throws Error where the browser does not draw it */
export async function chartFile(svg: SVGSVGElement, format: PictureFormat): Promise<string | Uint8Array> {
  const text = standalone(svg);
  return format === 'svg' ? text : pngOf(text, svg.width.baseVal.value, svg.height.baseVal.value);
}

/** With the colours and letters written out, which the page has from its stylesheets, and on the ground that it lies on. */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const copies = copy.querySelectorAll('*');
  for (const [index, element] of svg.querySelectorAll('*').entries()) {
    const style = getComputedStyle(element);
    const target = copies[index];
    if (target === undefined) continue;
    for (const property of LOOK) target.setAttribute(property, style.getPropertyValue(property));
    target.removeAttribute('class');
  }
  copy.removeAttribute('class');
  copy.querySelector('[data-active]')?.remove();
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(svg).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
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
  if (file === null) throw new Error('The browser did not make a picture of the chart');
  return new Uint8Array(await file.arrayBuffer());
}
