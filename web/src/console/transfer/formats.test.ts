import { expect, test } from 'vitest';
import { databaseNameIn, fileNameOf, formatOf, tableNameOf } from './formats.ts';

test('the end of a name tells the format', () => {
  expect(['a.SQL', 'b.csv', 'c.json', 'd.ndjson', 'e.jsonl', 'f.txt', 'g'].map(formatOf)).toEqual([
    'sql',
    'csv',
    'json',
    'jsonl',
    'jsonl',
    undefined,
    undefined,
  ]);
});

test('a table is called like its file', () => {
  expect(tableNameOf('seeds.csv')).toBe('seeds');
  expect(tableNameOf('2025 Seeds (final).csv')).toBe('2025_seeds_final');
  expect(tableNameOf('Ménage.v2.json')).toBe('ménage_v2');
  expect(tableNameOf('___.csv')).toBe('imported');
});

test('a file is called like its table, as far as files can be', () => {
  expect(fileNameOf('a/b', 'csv')).toBe('a_b.csv');
  expect(fileNameOf('', 'zip')).toBe('database.zip');
});

test('a compressed file is what it is without its last ending', () => {
  expect(formatOf('shop.SQL.gz')).toBe('sql');
  expect(formatOf('data.tar.gz')).toBeUndefined();
  expect(tableNameOf('Beds 2025.csv.gz')).toBe('beds_2025');
});

test('a dump tells the database that it is of', () => {
  expect(databaseNameIn('CREATE DATABASE IF NOT EXISTS `shop`; USE `shop`;')).toBe('shop');
  expect(databaseNameIn('SET NAMES utf8;\nCREATE DATABASE /*!32312 IF NOT EXISTS*/ `a-b` /*!40100 */;')).toBe('a-b');
  expect(databaseNameIn('-- MySQL dump 10.13\n--\n-- Host: localhost    Database: garden\n')).toBe('garden');
  expect(databaseNameIn('-- Current Database: `beds`\n')).toBe('beds');
  expect(databaseNameIn('CREATE TABLE databases (id INT)')).toBeUndefined();
});
