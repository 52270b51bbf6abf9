/** Geometries as people read and type them: `POINT(1 2)`, `SRID=4326;POINT(52.5 13.4)`. Pure. */

/** Dolt's order of WKB's types, from 1 on. */
const NAMES = [
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
] as const;

/** The beginning of a type of geometries, whatever SRID it asks for. */
export const GEOMETRY_TYPE =
  /^(geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geom(etry)?collection)\b/i;

/** Latitude comes first in text, and second in bytes. */
const GEOGRAPHIC_SRID = 4326;
/** A crafted value could nest itself deep enough to end the stack. */
const DEPTH_MAX = 32;

/** The text of a stored value (SRID and WKB), as ST_AsText writes it; undefined where it is none. */
export function geometryText(bytes: Uint8Array): string | undefined {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const srid = view.getUint32(0, true);
    const reader = new WkbReader(view, 4, srid === GEOGRAPHIC_SRID);
    const text = reader.geometry(0);
    return srid === 0 ? text : `SRID=${srid};${text}`;
  } catch {
    return undefined;
  }
}

class WkbReader {
  private isLittle = true;
  private readonly view: DataView;
  private at: number;
  private readonly isSwapped: boolean;

  constructor(view: DataView, at: number, isSwapped: boolean) {
    this.view = view;
    this.at = at;
    this.isSwapped = isSwapped;
  }

  geometry(depth: number): string {
    const { name, body } = this.part(depth);
    return `${name}${body}`;
  }

  private part(depth: number): { readonly name: string; readonly body: string } {
    this.isLittle = this.view.getUint8(this.at) === 1;
    this.at += 1;
    const name = NAMES[this.uint32() - 1];
    if (name === undefined || depth > DEPTH_MAX) throw new RangeError('no geometry');
    switch (name) {
      case 'POINT':
        return { name, body: `(${this.point()})` };
      case 'LINESTRING':
        return { name, body: this.list(() => this.point()) };
      case 'POLYGON':
        return { name, body: this.list(() => this.list(() => this.point())) };
      case 'GEOMETRYCOLLECTION':
        return { name, body: this.list(() => this.geometry(depth + 1)) };
      default:
        return { name, body: this.list(() => this.part(depth + 1).body) };
    }
  }

  private list(item: () => string): string {
    const count = this.uint32();
    const items: string[] = [];
    // A count that is too large ends with the bytes.
    for (let index = 0; index < count; index++) items.push(item());
    return `(${items.join(',')})`;
  }

  private point(): string {
    const [x, y] = [this.float64(), this.float64()];
    return this.isSwapped ? `${y} ${x}` : `${x} ${y}`;
  }

  private uint32(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, this.isLittle);
  }

  private float64(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, this.isLittle);
  }
}

const TYPED = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([a-z]+)\s*(\(.*\)|EMPTY)\s*$/is;

const isGeometry = (word: string): boolean => NAMES.some(name => name === word);

/** What is wrong with a typed value for a column of a type such as `point`; what is between its brackets the engine reads. */
export function geometryProblem(base: string, text: string): string | undefined {
  if (/^0x([0-9a-f]{2})+$/i.test(text.trim())) return undefined;
  const wanted = base.toUpperCase().replace('GEOMCOLLECTION', 'GEOMETRYCOLLECTION');
  const name = TYPED.exec(text)?.[2]?.toUpperCase() ?? '';
  const fits = wanted === 'GEOMETRY' ? isGeometry(name) : name === wanted;
  return fits
    ? undefined
    : `A ${wanted === 'GEOMETRY' ? 'geometry' : wanted}, such as ${EXAMPLES[wanted] ?? 'POINT(1 2)'}`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  LINESTRING: 'LINESTRING(0 0,1 1)',
  POLYGON: 'POLYGON((0 0,1 0,1 1,0 0))',
  MULTIPOINT: 'MULTIPOINT((0 0),(1 1))',
  MULTILINESTRING: 'MULTILINESTRING((0 0,1 1),(2 2,3 3))',
  MULTIPOLYGON: 'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))',
  GEOMETRYCOLLECTION: 'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))',
};

/** SRID and the rest of a value that fits. */
export function geometryParts(text: string): { readonly srid: number; readonly wkt: string } {
  const [, srid = '0'] = TYPED.exec(text) ?? [];
  return { srid: Number(srid), wkt: text.replace(/^[^;]*;/, '').trim() };
}
