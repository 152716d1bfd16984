import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { grammarMade } from './grammars.ts';
import { randomOf, type Random } from './random.ts';

/** A file to be read: what it is called, what is in it, and how it was made. */
export interface FuzzInput {
  seed: number;
  name: string;
  bytes: Uint8Array;
  madeBy: string;
}

interface Fixture {
  name: string;
  bytes: Buffer;
}

const LARGEST = 1_000_000;
const USUAL_LARGEST = 12_000;
/** One input in so many is of 100 KB to 1 MB. */
const LARGE_SHARE = 0.02;

/** What parsers have stumbled over, here and elsewhere. */
// prettier-ignore
const NASTY: readonly string[] = [
  ' ', '\t', '\n', '\r', '\r\n', '\u00a0', '\u2028', '\ufeff', '\0', '\ud800', '\u{1f600}', // white space
  '- ', '? ', ': ', '&a *a ', '!!a ', '|\n', '>-\n', '---\n', '...\n', // YAML
  '{{', '}}', '{%', '%}', '{', '}', '[', ']', '(', ')', '<', '>', '"', "'", '`', '``', // templates, brackets, quotes
  '```\n', '~~~\n', '*a ', '**a ', '_a ', ' {#', '<a ', '<a href=', '<!--', '-->', '<script>', '</',
  '<![CDATA[', '&#', '[[', ']]', '[a](', '![', '](', '[a]:', '[a][', '# ', '###### ', '===\n', '---\n', '> ',
  '1. ', '| ', '|-', // Markdown and HTML
  '.. ', '::', ':a:`', '`a <', '.. _a:', // reStructuredText
  '"""', "'''", '/*', '*/', '//', '#', '\\', '\\"', '$', '${', '$(', '=>', '->', '::', '?.', '!', ';', ',',
  '=', ' = ', '[[a', 'a.', 'a/', '.md', 'http://', '@', 'import ', 'from ', 'require(', 'use a::{',
  '#include <', 'class A { ', 'def f(', 'function(', 'f(() => {', // programs
  '"a": ', '{"a":[', '"cells": [', '\\u', 'e9', '-', '+', '1e999', // JSON and numbers
  'obj\n', 'endobj\n', 'stream\n', '/Kids [', '<< ', '>> ', ' 0 R', 'PK\x03\x04', 'PK\x01\x02', '<w:p>',
  '</w:p>', // PDF and Word
];

/** Files of a folder, of every format that it has, as what is to be changed. */
export function fixturesBelow(folder: string): Fixture[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ name: path.relative(folder, file).split(path.sep).join('/'), bytes: readFileSync(file) }));
}

/** The input of a seed: always the same for the same fixtures. */
export function inputOf(seed: number, fixtures: readonly Fixture[]): FuzzInput {
  const random = randomOf(seed);
  const largest = random.chance(LARGE_SHARE) ? random.whole(100_000, LARGEST) : random.whole(200, USUAL_LARGEST);
  if (random.chance(0.35)) {
    const { extension, content } = grammarMade(random, largest);
    return {
      seed,
      name: `made-${seed}.${extension}`,
      bytes: typeof content === 'string' ? Buffer.from(content) : content,
      madeBy: 'grammar',
    };
  }
  const fixture = random.pick(fixtures);
  let bytes: Buffer = fixture.bytes;
  const steps: string[] = [];
  for (let left = random.whole(1, 4); left > 0; left--) {
    const mutation = random.pick(MUTATIONS);
    steps.push(mutation.name);
    bytes = mutation(bytes, random, largest, fixtures).subarray(0, LARGEST);
  }
  return { seed, name: renamed(fixture.name, random), bytes, madeBy: `${fixture.name}: ${steps.join(', ')}` };
}

/** Now and then a file gets the name of another format. */
function renamed(name: string, random: Random): string {
  const base = path.posix.basename(name);
  return random.chance(0.05)
    ? `${base}.${random.pick(['md', 'yaml', 'csv', 'html', 'rst', 'toml', 'json', 'ipynb', 'ts', 'py', 'pdf', 'docx', 'txt'])}`
    : base;
}

type Mutation = (bytes: Buffer, random: Random, largest: number, fixtures: readonly Fixture[]) => Buffer;

const sliceOf = (bytes: Buffer, random: Random, most: number): Buffer => {
  const start = random.whole(0, Math.max(0, bytes.length - 1));
  return bytes.subarray(start, start + random.whole(1, most));
};

const inserted = (bytes: Buffer, random: Random, more: Buffer): Buffer => {
  const at = random.whole(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
};

const repeated = (part: Buffer, times: number): Buffer => Buffer.concat(Array<Buffer>(Math.max(1, times)).fill(part));

function flipBytes(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  for (let left = random.whole(1, 8); left > 0 && changed.length > 0; left--)
    changed[random.whole(0, changed.length - 1)] = random.whole(0, 255);
  return changed;
}

function deletePart(bytes: Buffer, random: Random): Buffer {
  const start = random.whole(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + random.whole(1, 200))]);
}

function repeatPart(bytes: Buffer, random: Random, largest: number): Buffer {
  const part = sliceOf(bytes, random, random.pick([3, 12, 80]));
  return part.length === 0 ? bytes : inserted(bytes, random, repeated(part, Math.floor(largest / part.length)));
}

function splice(bytes: Buffer, random: Random, largest: number, fixtures: readonly Fixture[]): Buffer {
  const other = random.pick(fixtures).bytes;
  return Buffer.concat([
    bytes.subarray(0, random.whole(0, bytes.length)),
    other.subarray(random.whole(0, other.length)),
  ]).subarray(0, Math.max(largest, bytes.length));
}

const truncate = (bytes: Buffer, random: Random): Buffer =>
  bytes.subarray(0, random.whole(1, Math.max(1, bytes.length)));

const insertNasty = (bytes: Buffer, random: Random): Buffer => inserted(bytes, random, Buffer.from(random.pick(NASTY)));

function insertManyNasty(bytes: Buffer, random: Random, largest: number): Buffer {
  const token = Buffer.from(random.pick(NASTY) + (random.chance(0.3) ? random.pick(NASTY) : ''));
  return inserted(bytes, random, repeated(token, random.whole(1, Math.floor(largest / token.length))));
}

const joinLines = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('latin1').split('\n').join(' '), 'latin1');

const repeatWhole = (bytes: Buffer, _random: Random, largest: number): Buffer =>
  bytes.length === 0 ? bytes : repeated(bytes, Math.floor(largest / bytes.length));

const MUTATIONS: readonly Mutation[] = [
  flipBytes,
  deletePart,
  repeatPart,
  repeatPart,
  splice,
  truncate,
  insertNasty,
  insertNasty,
  insertManyNasty,
  insertManyNasty,
  joinLines,
  repeatWhole,
];
