import { stemOf } from '#base';
import { nameForm, type Passage, type PassageLink, readNames, splitSentences } from '#search';

/** Two passages of which the first points at the second: a chain of two hops that a question can be asked about. */
export interface Bridge {
  from: Passage;
  to: Passage;
  /** The sentence of `from` that points, with `…` where the name of `to` stood. */
  clue: string;
  /** Names of `to`: none of them may stand in a question, or the first hop is not needed. */
  names: string[];
}

/** Links of code that say nothing in words: the clue is the symbol that holds them. */
const CODE_LINKS = new Set<PassageLink['kind']>(['import', 'call']);
/** Rows and fields say too little around a link. */
const TABULAR = new Set<Passage['kind']>(['front-matter', 'table', 'data', 'outline']);
const PROSE_LINKS = new Set<PassageLink['kind']>(['wikilink', 'markdown', 'path']);

/**
 * Bridges between these passages, in their order: by resolved links, and where prose names another passage's title. A
 * pair counts once. Passages that point at several things in one sentence, or at themselves, make no bridge.
 */
export function findBridges(passages: readonly Passage[]): Bridge[] {
  const byPath = new Map<string, Passage[]>();
  const byTitle = new Map<string, Passage[]>();
  for (const passage of passages) {
    byPath.set(passage.path, [...(byPath.get(passage.path) ?? []), passage]);
    const form = nameForm(titlesOf(passage)[0] ?? '');
    if (form.length > 3) byTitle.set(form, [...(byTitle.get(form) ?? []), passage]);
  }
  const bridges = new Map<string, Bridge>();
  for (const from of passages) {
    if (TABULAR.has(from.kind)) continue;
    for (const bridge of [...linked(from, byPath), ...named(from, byTitle)]) {
      const key = `${bridge.from.id} ${bridge.to.id}`;
      if (!bridges.has(key)) bridges.set(key, bridge);
    }
  }
  return [...bridges.values()];
}

function linked(from: Passage, byPath: ReadonlyMap<string, readonly Passage[]>): Bridge[] {
  const outside = from.links.filter((link) => link.path !== undefined && link.path !== from.path);
  const codeTargets = new Set(
    outside.filter((link) => CODE_LINKS.has(link.kind)).map((link) => `${link.path}#${link.anchor ?? ''}`),
  );
  return outside.flatMap((link) => {
    const to = meant(byPath.get(link.path ?? '') ?? [], link.anchor);
    if (!to) return [];
    const names = namesOf(to, link.target);
    if (CODE_LINKS.has(link.kind)) return codeTargets.size === 1 ? [{ from, to, clue: '', names }] : []; // "the one thing it uses"
    const clue = PROSE_LINKS.has(link.kind) ? clueOf(from, link, outside) : undefined;
    return clue === undefined ? [] : [{ from, to, clue, names }];
  });
}

/** Prose that names another passage's title, where nobody has made a link of it. */
function named(from: Passage, byTitle: ReadonlyMap<string, readonly Passage[]>): Bridge[] {
  if (from.language !== 'markdown' && from.language !== 'plaintext') return [];
  return splitSentences(from.text).flatMap(({ start, end }) => {
    const sentence = from.text.slice(start, end);
    const others = readNames(sentence).filter(
      (name) => byTitle.has(name.key) && byTitle.get(name.key)?.every((to) => to.path !== from.path),
    );
    const [name] = others;
    const to = name && byTitle.get(name.key)?.[0];
    if (!name || !to || new Set(others.map((other) => other.key)).size !== 1) return [];
    const clue = tidy(sentence.replaceAll(name.text, '…'));
    return clue === undefined ? [] : [{ from, to, clue, names: namesOf(to, name.text) }];
  });
}

/** The sentence of a link with the link's text left out; undefined when it holds another link, or nothing else. */
function clueOf(from: Passage, link: PassageLink, all: readonly PassageLink[]): string | undefined {
  if (all.some((other) => other !== link && other.line === link.line && other.path !== link.path)) return undefined;
  const line = from.text.split('\n')[link.line - from.startLine] ?? '';
  const escaped = link.target.split(/[#|]/)[0]?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') ?? '';
  if (escaped === '') return undefined;
  const markup = new RegExp(
    String.raw`!?\[\[${escaped}[^[\]]*\]\]|\[[^[\]]*\]\(<?${escaped}[^()]*\)|\x60?${escaped}\x60?`,
    'u',
  );
  const holding = splitSentences(line)
    .map(({ start, end }) => line.slice(start, end))
    .find((sentence) => markup.test(sentence));
  return holding === undefined ? undefined : tidy(holding.replace(markup, '…'));
}

/** A clue on one line without markup; undefined when too little is left to tell anything. */
function tidy(sentence: string): string | undefined {
  const text = sentence
    .replace(
      /\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/gu,
      (_all, target: string, label: string | undefined) => label ?? target,
    )
    .replace(/\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/^[\s>#*+-]+(?:\[[ x]\]\s*)?|[*_`]+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return text.includes('…') &&
    !/\||---|^\w+: .*\s\w+: /u.test(text) &&
    text
      .replace(/…/gu, '')
      .split(/\s+/u)
      .filter((word) => /\p{L}/u.test(word)).length >= 3
    ? text
    : undefined;
}

/** The passage of a file that an anchor means, else its first. */
function meant(passages: readonly Passage[], anchor: string | undefined): Passage | undefined {
  const form = anchor === undefined ? undefined : nameForm(anchor);
  return (
    (form === undefined
      ? undefined
      : passages.find((passage) => titlesOf(passage).some((title) => nameForm(title) === form))) ?? passages[0]
  );
}

const titlesOf = (passage: Passage): string[] =>
  passage.title
    .split(' > ')
    .map((part) => part.trim())
    .filter(Boolean);

const namesOf = (to: Passage, target: string): string[] =>
  [
    ...new Set(
      [
        titlesOf(to)[0] ?? '',
        stemOf(to.path),
        target.split(/[#|]/)[0] ?? '',
        to.language === 'markdown' ? '' : (titlesOf(to).at(-1) ?? ''),
      ].map(nameForm),
    ),
  ].filter((name) => name.length > 2);
