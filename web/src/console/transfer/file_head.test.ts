import { expect, test } from 'vitest';
import { areObjectsApart, canBeText, ENCODINGS, encodingOf, headOf, previewOf } from './file_head.ts';

const bytes = (...values: number[]) => new Uint8Array(values);

test('the encoding of a file is what its mark or its bytes say, or is left to the person', () => {
  expect(encodingOf(bytes(0xff, 0xfe, 0x61, 0))).toBe('utf-16le');
  expect(encodingOf(bytes(0xfe, 0xff, 0, 0x61))).toBe('utf-16be');
  expect(encodingOf(bytes(0x61, 0xc3, 0xa9))).toBe('utf-8');
  // A character that the head ends within.
  expect(encodingOf(bytes(0x61, 0xc3))).toBe('utf-8');
  expect(encodingOf(bytes(0x61, 0xe9, 0x0a))).toBeUndefined();
});

test('the first lines of a file are shown in the encoding that was chosen', async () => {
  const head = await headOf(new File([bytes(0x61, 0xe9, 0x0d, 0x0a), 'b\nc\nd\ne', 'x'.repeat(500)], 'a.csv'));
  expect(head.encoding).toBeUndefined();
  expect(previewOf(head, 'windows-1252')).toBe('aé\nb\nc\nd');
  expect(previewOf(head, 'windows-1251')).toBe('aй\nb\nc\nd');
  expect(previewOf(await headOf(new File(['y'.repeat(500)], 'a.csv')), 'utf-8')).toHaveLength(201);
});

test('of a dump one sees its statements, not what it says of itself', async () => {
  const dump =
    '-- MySQL dump 10.13\n--\n\n/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE `t`;\nCREATE TABLE `t` (\n  `id` int\n);\n';
  expect(previewOf(await headOf(new File([dump], 'a.sql')), 'utf-8')).toBe(
    'DROP TABLE `t`;\nCREATE TABLE `t` (\n  `id` int\n);',
  );
});

test('a picture is told by bytes that no text has', async () => {
  const picture = await headOf(
    new File([bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)], 'a.csv'),
  );
  expect(canBeText(picture, 'windows-1252')).toBe(false);
  expect(canBeText(await headOf(new File([bytes(0x61, 0, 0x62, 0)], 'a.csv')), 'utf-16le')).toBe(true);
  expect(canBeText(await headOf(new File(['id\n1\n'], 'a.csv')), 'utf-8')).toBe(true);
});

test('objects that stand one after the other are told from an array of them', async () => {
  const apart = async (text: string) => areObjectsApart(await headOf(new File([text], 'a.json')));
  expect(await apart('{"a": 1}')).toBe(true);
  expect(await apart('\ufeff\n{"a": 1}\n{"a": 2}\n')).toBe(true);
  expect(await apart('{"rows": 3}')).toBe(true);
  expect(await apart('[{"a": 1}]')).toBe(false);
  expect(await apart('{"rows": [{"a": 1}]}')).toBe(false);
  expect(await apart('{}')).toBe(false);
});

test('every encoding to choose is one that browsers know', () => {
  for (const { id } of ENCODINGS) expect(new TextDecoder(id).encoding).toBe(id);
});
