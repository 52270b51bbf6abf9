import { expect, test } from 'vitest';
import { forgetRecent, listRecent, rememberRecent } from './recent.ts';
import { NothingToOpen, sourceOfDrop, sourceOfFiles, sourceOfUrl } from './sources.ts';

function fileAt(path: string): File {
  const file = new File(['x'], path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

test('an address is called by its last part and can be opened again', () => {
  const { label, recent } = sourceOfUrl(' https://example.org/data/shop/ ');
  expect(label).toBe('shop');
  expect(recent).toEqual({ url: 'https://example.org/data/shop/' });
  expect(() => sourceOfUrl('ftp://example.org/shop')).toThrow(NothingToOpen);
});

test('picked files are a directory or an archive, else they are refused in words', () => {
  expect(sourceOfFiles([fileAt('shop/.dolt/noms/manifest')]).label).toBe('shop');
  const archive = sourceOfFiles([new File(['x'], 'shop.tar.gz')]);
  expect(archive.label).toBe('shop');
  expect(archive.source).toHaveProperty('archive');
  expect(() => sourceOfFiles([new File(['x'], 'notes.txt')])).toThrow(NothingToOpen);
  expect(() => sourceOfFiles([new File(['x'], 'Beds.xlsx')])).toThrow('Beds.xlsx is a spreadsheet. Save it as CSV');
  expect(() => sourceOfFiles([])).toThrow(NothingToOpen);
});

test('a dropped archive is opened as one', async () => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['x'], 'shop.zip'));
  const { label, source } = await sourceOfDrop(transfer);
  expect(label).toBe('shop');
  expect(source).toHaveProperty('archive');
});

test('what was opened is listed newest first, once each, and can be forgotten', async () => {
  for (const name of ['a', 'b', 'a']) {
    await rememberRecent(name, { url: `https://example.org/${name}` });
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  expect((await listRecent()).map(({ label }) => label)).toEqual(['a', 'b']);
  await forgetRecent('https://example.org/a');
  expect((await listRecent()).map(({ label }) => label)).toEqual(['b']);
  await forgetRecent('https://example.org/b');
});
