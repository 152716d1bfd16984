import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '#base';

const TEXT = /\.(?:md|rst|txt|py|ts|tsx|js|go|rs|java|rb|php|c|h|cpp|cs)$/;
const LONGEST_FILE = 100_000;
/** What a passage of these has on average: to know how many files are enough. */
const BYTES_PER_PASSAGE = 680;
const WORD = /[A-Za-z_]{4,}/g;
/** The commonest words, a language's own among them, are the same in every copy. */
const KEPT_WORDS = 500;
/** One in so many of the others is another word in a copy. */
const CHANGED = 4;

const numberOf = (text: string): number => Buffer.from(hashOf(text, 8), 'hex').readUInt32LE(0);

interface TextFile {
  file: string;
  /** Where it lies, seen from the folder or the archive. */
  name: string;
}

/** Text files of a folder and of the archives (`.tar.gz`) in it, unpacked into `scratch`. */
function textFilesIn(folder: string, scratch: string): TextFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry): TextFile[] => {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    if (!entry.isFile() || name.includes('node_modules')) return [];
    if (entry.name.endsWith('.tar.gz')) {
      const to = path.join(scratch, entry.name.slice(0, -'.tar.gz'.length));
      mkdirSync(to, { recursive: true });
      execFileSync('tar', ['-xzf', file, '-C', to]);
      return textFilesIn(to, to);
    }
    const { size } = statSync(file);
    return TEXT.test(entry.name) && size > 0 && size <= LONGEST_FILE ? [{ file, name }] : [];
  });
}

/** The words that make up most of the texts. */
function commonWords(files: readonly TextFile[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { file } of files)
    for (const [word] of readFileSync(file, 'utf8').matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set(
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, KEPT_WORDS)
      .map(([word]) => word),
  );
}

/**
 * Fills a folder with real files of another until they make about so many passages. Where they do not reach, they come
 * again, in a copy that calls a quarter of its rarer words otherwise, the same everywhere: its programs still fit
 * together, and no passage is there twice.
 */
export function fillWithText(folder: string, from: string, passages: number, scratch: string): string[] {
  const files = textFilesIn(from, path.join(scratch, 'unpacked')).sort((a, b) => numberOf(a.name) - numberOf(b.name));
  if (files.length === 0) throw new Error(`${from} holds no text files and no .tar.gz`);
  const kept = commonWords(files);
  const made: string[] = [];
  let bytes = 0;
  for (let copy = 0; ; copy++) {
    const letters = `q${copy.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q')}`;
    const another = new Map<string, string>();
    const changed = (word: string): string => {
      const known = another.get(word);
      if (known !== undefined) return known;
      const now = kept.has(word) || numberOf(`${copy} ${word}`) % CHANGED > 0 ? word : word + letters;
      another.set(word, now);
      return now;
    };
    for (const { file, name } of files) {
      if (bytes >= passages * BYTES_PER_PASSAGE) return made;
      const text = readFileSync(file, 'utf8');
      const copied = path.join(folder, `copy-${copy}`, name);
      mkdirSync(path.dirname(copied), { recursive: true });
      writeFileSync(copied, copy === 0 ? text : text.replace(WORD, changed));
      made.push(copied);
      bytes += Buffer.byteLength(text);
    }
  }
}
