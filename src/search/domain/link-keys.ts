import { wordList } from '#base';
import type { Passage, PassageLink } from './passage.ts';
import { titleParts } from './passage-title.ts';

const keyOf = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
const withoutExtension = (path: string): string => path.replace(/\.[^./]+$/, '');
const lastOf = (value: string, separator: RegExp): string => value.split(separator).at(-1) ?? value;

/** `path:` key of a file, `path#anchor` of a place in it, `name:` key of a symbol, title or file stem. */
export const pathKey = (path: string, anchor?: string): string => `path:${path}${anchor ? `#${keyOf(anchor)}` : ''}`;
export const nameKey = (name: string): string => `name:${keyOf(name)}`;

/**
 * A title without the explanation in brackets at its very end, and the white space before that: `Brand (play)` is
 * `Brand`.
 */
export function withoutClosingBracket(title: string): string {
  if (!title.endsWith(')')) return title;
  const opens = title.lastIndexOf('(');
  return opens < 0 || title.lastIndexOf(')', title.length - 2) > opens ? title : title.slice(0, opens).trimEnd();
}

/** Titles that name nothing: links through them would join everything with everything. */
const MEANINGLESS = new Set([
  '',
  ...wordList('readme index introduction overview notes summary main init constructor constructor() test tests todo'),
]);

/** Keys that a passage answers to: its file, its file's stem, its title's parts, the symbols that it defines. */
export function nameKeys(passage: Passage): string[] {
  const keys = new Set<string>([pathKey(passage.path)]);
  const add = (name: string): void => {
    if (!MEANINGLESS.has(keyOf(name)) && keyOf(name).length > 1) keys.add(nameKey(name));
  };
  add(withoutExtension(lastOf(passage.path, /\//)));
  const parts = titleParts(passage.title);
  for (const part of parts) {
    add(part);
    // "Brand (play)" is called Brand where others speak of it.
    add(withoutClosingBracket(part));
  }
  const heading = parts.at(-1);
  if (heading) keys.add(pathKey(passage.path, heading));
  for (const link of passage.links) {
    if (link.kind !== 'define') continue;
    add(link.target);
    add(lastOf(link.target, /[.#]|::/));
    keys.add(pathKey(passage.path, link.target));
  }
  return [...keys];
}

/** Keys that a passage points at. A resolved link gives its path (and place); an unresolved one its last name. */
export function linkKeys(passage: Passage): string[] {
  const keys = new Set<string>();
  for (const link of passage.links) for (const key of keysOfLink(link)) keys.add(key);
  return [...keys];
}

/** Keys of one link; none for definitions and web addresses. */
export function keysOfLink(link: PassageLink): string[] {
  if (link.kind === 'define' || link.kind === 'url') return [];
  if (link.path) return [pathKey(link.path, link.anchor)];
  const name = link.kind === 'call' ? lastOf(link.target, /[.#]|::|->/) : link.target;
  return MEANINGLESS.has(keyOf(name)) || keyOf(name).length < 2 ? [] : [nameKey(name)];
}
