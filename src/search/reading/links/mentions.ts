import type { References, Use } from '../../domain/references.ts';
import { isCommonName } from '../code/symbol-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { PlacedLink } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';

/** A page as far as names in it are looked for. */
interface Page {
  source: SourceText;
  /** Where its text begins, behind front matter. */
  firstLine: number;
  /** Headings as people read them, by their lines. */
  headings: ReadonlyMap<number, string>;
  /** Whether a line is code altogether. */
  isCode(line: number): boolean;
  links: readonly PlacedLink[];
}

/** `merge`, `Store.merge()`, `Store::merge`, `Store#merge`. */
const NAMES = /[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?/g;
const SPANS = /(`{1,2})([^`\n]+)\1/g;
/** Written as no word of a sentence is: a capital or an underscore inside, `::`, or brackets behind. */
const LIKE_CODE = /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|::|\(\)$/;
/** A dot in a sentence is of `Store.merge`, and not of `notes.md`. */
const IN_CLASS = /^[A-Z]\w+[.#][A-Za-z_]\w*$/;
const LONGEST_LINE = 20_000;
const LONGEST_NAME = 100;
/** `src/cache.ts#L12`, `…/blob/main/src/cache.ts#L12-L20`. */
const LINE_OF_SOURCE = /^([^#]{1,300})#L(\d{1,7})\b/;
const HOSTED = /^https?:\/\/[^#]{1,200}?\/(?:-\/)?blob\/[^/#]{1,100}\//;

/**
 * What a page says of a program: names in code spans, in headings, in code that it shows, and in sentences where they
 * are written as no word is; and links to lines of sources. Which of them are of the workspace is not known here.
 */
export function mentionsOf({ source, firstLine, headings, isCode, links }: Page): References | undefined {
  const uses: Use[] = [];
  const seen = new Set<string>();
  let cut = false;
  const add = (use: Use): void => {
    const key = `${use.name}\n${use.receiver}\n${use.line}`;
    if (seen.has(key)) return;
    cut ||= uses.length >= readingLimits.referencesPerFile;
    if (cut) return;
    seen.add(key);
    uses.push(use);
  };
  for (let line = firstLine; line <= source.lineCount; line++) {
    const text = source.line(line);
    if (text.length > LONGEST_LINE) continue;
    for (const written of isCode(line) ? namesIn(text, isLikeCode) : namesOf(text, headings.get(line))) {
      const use = mention(written, line);
      if (use) add(use);
    }
  }
  for (const link of links) {
    const use = mentionOfLine(link, source);
    if (use) add(use);
  }
  return uses.length === 0 ? undefined : { definitions: [], uses, imports: [], ...(cut ? { cut: true as const } : {}) };
}

/** Names of a line of text: all in code spans, and of the rest those that look like code. */
function namesOf(text: string, heading: string | undefined): string[] {
  const found: string[] = [];
  let rest = '';
  let kept = 0;
  for (const span of text.includes('`') ? text.matchAll(SPANS) : []) {
    const inside = (span[2] ?? '').trim();
    const alone = namesIn(inside, () => true);
    // `npm run build` holds words, `merge` is a name.
    found.push(...(alone.length === 1 && alone[0] === inside ? alone : namesIn(inside, isLikeCode)));
    rest += `${text.slice(kept, span.index)} `;
    kept = span.index + span[0].length;
  }
  rest += text.slice(kept);
  const isName = heading !== undefined && namesIn(heading, () => true)[0] === heading;
  return [...found, ...(isName ? [heading] : namesIn(rest, (name) => isLikeCode(name) || IN_CLASS.test(name)))];
}

const isLikeCode = (name: string): boolean => LIKE_CODE.test(name);

/** Names in a text; a part of a path or of an address is none. */
function namesIn(text: string, accept: (name: string) => boolean): string[] {
  return [...text.matchAll(NAMES)].flatMap(({ 0: name, index }) => {
    const isInPath =
      /[/@\\-]/.test(text[index - 1] ?? '') ||
      /^[/@\\-]/.test(text.slice(index + name.length, index + name.length + 1));
    return !isInPath && name.length <= LONGEST_NAME && accept(name) ? [name] : [];
  });
}

function mention(written: string, line: number): Use | undefined {
  const parts = written
    .replace(/\(\)$/, '')
    .split(/\.|::|#|->/)
    .filter((part) => part !== '');
  const name = (parts.pop() ?? '').replace(/^\$/, '');
  if (name.length < 3 || (parts.length === 0 && isCommonName(name))) return undefined;
  return { kind: 'mention', name, receiver: parts.join('.'), line };
}

/** A link to a line of a source: the name is the path, and the line stands before it, behind `#`. */
function mentionOfLine({ kind, target, line, column = 0 }: PlacedLink, source: SourceText): Use | undefined {
  if (kind === 'path') {
    const behind = /^:(\d{1,7})\b/.exec(source.line(line).slice(column + target.length, column + target.length + 10));
    return behind?.[1] ? { kind: 'mention', name: target, receiver: `#${behind[1]}`, line } : undefined;
  }
  if (kind !== 'markdown' && kind !== 'url') return undefined;
  const found = LINE_OF_SOURCE.exec(kind === 'url' ? target.replace(HOSTED, '') : target);
  const [, path = '', number] = found ?? [];
  return number === undefined || path.includes('://')
    ? undefined
    : { kind: 'mention', name: path, receiver: `#${number}`, line };
}
