import { expect, test } from 'vitest';
import { geometryParts, geometryProblem, geometryText } from './geometry.ts';

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));

// As ST_AsText of native Dolt writes the same bytes.
test('stored geometries as text', () => {
  expect(geometryText(bytes('000000000101000000000000000000F03F0000000000000040'))).toBe('POINT(1 2)');
  expect(geometryText(bytes('E6100000010100000000000000000034400000000000002440'))).toBe('SRID=4326;POINT(10 20)');
  const collection =
    '000000000107000000040000000101000000000000000000F03F000000000000004001020000000200000000000000000000000000000000000000' +
    '000000000000F03F000000000000F03F0103000000010000000400000000000000000000000000000000000000000000000000F03F000000000000' +
    '0000000000000000F03F000000000000F03F000000000000000000000000000000000104000000020000000101000000000000000000F03F000000' +
    '000000F03F010100000000000000000000400000000000000040';
  expect(geometryText(bytes(collection))).toBe(
    'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1),POLYGON((0 0,1 0,1 1,0 0)),MULTIPOINT((1 1),(2 2)))',
  );
});

test('bytes that are no geometry have no text', () => {
  for (const hex of ['', '00', '0000000001', '000000000109000000', '000000000102000000FFFFFFFF']) {
    expect(geometryText(bytes(hex))).toBeUndefined();
  }
  // A collection of one collection of one …
  const nested = `00000000${'010700000001000000'.repeat(40)}`;
  expect(geometryText(bytes(nested))).toBeUndefined();
});

test('what is typed is of the type of its column', () => {
  expect(geometryProblem('point', ' point( 1 2 )')).toBeUndefined();
  expect(geometryProblem('point', 'SRID=4326;POINT(1 2)')).toBeUndefined();
  expect(geometryProblem('point', '0x000000000101')).toBeUndefined();
  expect(geometryProblem('geometry', 'LINESTRING(0 0,1 1)')).toBeUndefined();
  expect(geometryProblem('point', 'LINESTRING(0 0,1 1)')).toBe('A POINT, such as POINT(1 2)');
  expect(geometryProblem('geometry', '1 2')).toBe('A geometry, such as POINT(1 2)');
  expect(geometryProblem('polygon', 'POLYGON')).toContain('such as POLYGON((');
});

test('a typed value has its reference system apart', () => {
  expect(geometryParts('SRID=4326; POINT(1 2)')).toEqual({ srid: 4326, wkt: 'POINT(1 2)' });
  expect(geometryParts('POINT(1 2) ')).toEqual({ srid: 0, wkt: 'POINT(1 2)' });
});
