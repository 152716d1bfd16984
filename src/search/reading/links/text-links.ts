import type { PlacedLink } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { baseName, wordSet, expression } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { withoutTrailing } from '../../text/trim.ts';

const URL = /\bhttps?:\/\/[^\s<>"'`)\]}|\\^]+/g;
const QUICK_LOOK = /[./]/;

/**
 * Web addresses and words that may name a file, in the whole text or in some stretches of it (comments and strings).
 */
export function textLinks(source: SourceText, stretches?: readonly TextSpan[]): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const { start, end } of stretches ?? [{ start: 0, end: source.text.length }]) {
    const text = source.text.slice(start, end);
    if (QUICK_LOOK.test(text)) collect(source, text, start, links);
  }
  return links;
}

function collect(source: SourceText, text: string, offset: number, links: PlacedLink[]): void {
  const addresses: TextSpan[] = [];
  for (const match of text.matchAll(URL)) {
    // What ends a sentence or an emphasis is no part of an address.
    const target = withoutTrailing(match[0], /[.,;:!?*_]/);
    links.push({ kind: 'url', target, ...source.placeOf(offset + match.index) });
    addresses.push({ start: match.index, end: match.index + match[0].length });
  }
  let next = 0;
  for (const { name, index } of fileNamesIn(text)) {
    while ((addresses[next]?.end ?? Infinity) <= index) next += 1;
    if ((addresses[next]?.start ?? Infinity) > index)
      links.push({ kind: 'path', target: name, ...source.placeOf(offset + index) });
  }
}

/**
 * Extensions that make no word the name of a file: behind a dot they are far more often something else. What an object
 * has (`node.text`, `exec.cmd`), a variable of one letter (`point.d`; c, h, m and r name files so often that they
 * stay), an address (`harbour.ru`), what would let a sentence go on.
 */
export const NO_FILE_NAMES = wordSet(`
  ads cmd diff el feature fs man nu patch props rest sc star tab targets text d s v ru c++ code-workspace
`);
const EXTENSIONS = new Set(['inc']);

/** Takes extensions that make a word in a text look like the name of a file; `file-formats.ts` knows them all. */
export function knowEndings(extensions: Iterable<string>): void {
  for (const extension of extensions)
    if (!NO_FILE_NAMES.has(extension) && !/^\d/.test(extension)) EXTENSIONS.add(extension);
}

const ENDINGS = expression('gi')`
  \.(\w{1,11})(?![\w\-/([]|\.\w)|
  \b(?:Makefile|Dockerfile|Rakefile|Gemfile|Jenkinsfile|Vagrantfile|LICENSE|CODEOWNERS)(?![\w\-/([]|\.\w)
`;
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}_@.+\-/~]/u;
const LONGEST_PATH = 200;

/** A word that may name a file, at an offset. */
interface FileNameMatch {
  name: string;
  index: number;
}

/**
 * Words that may name a file: folders before them are welcome, an extension that we know is needed. Whether such a file
 * exists is found out later (`resolve-links.ts`). Looks for endings and walks back from them, so that the time is
 * linear.
 */
export function* fileNamesIn(text: string): Generator<FileNameMatch> {
  for (const ending of text.matchAll(ENDINGS)) {
    if (ending[1] !== undefined && !EXTENSIONS.has(ending[1].toLowerCase())) continue;
    const end = ending.index + ending[0].length;
    let start = ending.index;
    while (start > 0 && end - start < LONGEST_PATH && NAME_CHARACTER.test(text[start - 1] ?? '')) start -= 1;
    const name = text.slice(start, end).replace(/^[-+]+/, '');
    // The tail of an address.
    if (start > 0 && /[:\\#%$=*?]/.test(text[start - 1] ?? '') && name.startsWith('/')) continue;
    if (isFileName(name, ending[1] !== undefined ? ending[0] : '') && !isFileNameNoise(name))
      yield { name, index: end - name.length };
  }
}

/** Something stands before the extension; what has none ends in a capitalised word, or in capitals. */
function isFileName(name: string, extension: string): boolean {
  const base = baseName(name);
  const visible = base.slice(base.startsWith('.') ? 1 : 0);
  if (!/^[\p{L}\p{N}_@]/u.test(visible)) return false;
  return extension !== '' ? visible.length > extension.length : /[A-Z][a-z]+$|[A-Z]{5}$/.test(visible.slice(1));
}

const PROSE_NOISE = wordSet('e.g i.e node.js vue.js next.js d3.js three.js express.js react.js asp.net');

const isFileNameNoise = (word: string): boolean => PROSE_NOISE.has(word.toLowerCase());
