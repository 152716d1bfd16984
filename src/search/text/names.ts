import { expression } from '#base';
import type { TextSpan } from '../domain/unit.ts';
import { withoutClosingBracket } from '../domain/link-keys.ts';
import { hanNames } from './han-names.ts';
import { withoutTrailing } from './trim.ts';
import { isStopWord, mayBeStopWord, type StopLanguage } from './stop-words.ts';
import { phraseForm, plain, stopLanguageOf } from './words.ts';

/**
 * A name in a text: a capitalised phrase, two of them joined (`compound`: it may be one name or two), a quotation, an
 * identifier, a path, a number.
 */
export interface Name extends TextSpan {
  /** Comparable form: plain words joined by single spaces. */
  key: string;
  /** As written. */
  text: string;
  kind: 'phrase' | 'compound' | 'quote' | 'identifier' | 'path' | 'number';
}

const CAPITAL = String.raw`\p{Lu}[\p{L}\p{N}'’&-]*(?:\.(?=\s?\p{Lu}))?`;
const JOINER = String.raw`(?:of|the|de|la|le|du|da|di|del|van|von|der|den|and|for|in|on|at|to|y|e|&|-)`;
const PHRASE = new RegExp(String.raw`${CAPITAL}(?:[ \u00a0](?:${JOINER}[ \u00a0]){0,2}(?:${CAPITAL}|\p{N}+))*`, 'gu');
const QUOTED = /["“«`„「『《]([^"”»`“」』》\n]{0,80})["”»`“」』》]/gu;
const IDENTIFIER = expression('gu')`
  (?<![\p{L}\p{N}_$/])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$.]*|
    _*[\p{L}$][\p{L}\p{N}]*_[\p{L}\p{N}_]*|_+[\p{L}][\p{L}\p{N}]*|[\p{Ll}$][\p{Ll}\p{N}]+\p{Lu}[\p{L}\p{N}]*|
    [\p{L}_$][\p{L}\p{N}_$]*(?=\(\)))
`;
/** Characters of which paths are made, in one run. */
const PATH_RUN = /[\p{L}\p{N}_./-]+/gu;
/** A file with its ending, folders before it or not, at the beginning of a run. */
const FILE = /^(?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_-]+\.[a-z]{1,5}\d?(?![\p{L}\p{N}])/u;
/** Folders and what lies in them, of which none is empty. */
const STEPS = /(?<![^/])[^/]+(?:\/[^/]+)+/g;
/** Foreign names in Japanese. */
const KATAKANA = /[\p{Script=Katakana}ー]{3,}(?:・[\p{Script=Katakana}ー]+)*/gu;
const NUMBER = /(?<![\p{L}\p{N}])\p{N}[\p{N}.,]*\p{N}(?![\p{L}\p{N}])/gu;

/** Comparable form of a name or title: plain words, a leading article and a closing bracket left out. */
export function nameForm(text: string): string {
  return phraseForm(withoutClosingBracket(text.trimEnd())).replace(/^(?:the|a|an) (?=.)/, '');
}

/** Names of a text in order of appearance; overlapping kinds are all kept, each key and place once. */
export function readNames(text: string): Name[] {
  const names: Name[] = [];
  const add = (kind: Name['kind'], raw: string, start: number): void => {
    const key = nameForm(raw);
    if (key.length > 1) names.push({ kind, key, text: raw, start, end: start + raw.length });
  };
  let language: StopLanguage | undefined;
  const isStop = (word: string): boolean =>
    isStopWord(word) || (mayBeStopWord(word) && isStopWord(word, (language ??= stopLanguageOf(text))));
  for (const match of text.matchAll(PHRASE)) addPhrase(text, match[0], match.index, isStop, add);
  for (const match of text.matchAll(KATAKANA)) add('phrase', match[0], match.index);
  for (const name of hanNames(text)) add('phrase', name.text, name.start);
  for (const { 1: quoted = '', index } of text.matchAll(QUOTED))
    if ([...quoted].length > 1) add('quote', quoted, index + 1);
  for (const match of text.matchAll(IDENTIFIER)) add('identifier', match[0], match.index);
  for (const run of text.matchAll(PATH_RUN))
    for (const path of pathsIn(run[0])) add('path', path.text, run.index + path.start);
  for (const match of text.matchAll(NUMBER)) add('number', match[0], match.index);
  return names.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Paths in a run of their characters: a file with its ending, then folders and what lies in them, of which neither is
 * empty.
 */
function pathsIn(run: string): { text: string; start: number }[] {
  const file = FILE.exec(run)?.[0] ?? '';
  const folders = [...run.slice(file.length).matchAll(STEPS)].map((steps) => ({
    text: steps[0],
    start: file.length + steps.index,
  }));
  return file === '' ? folders : [{ text: file, start: 0 }, ...folders];
}

/**
 * A capital at the start of a sentence proves nothing: stop words there are cut off, and so are a trailing possessive
 * and stop words.
 */
function addPhrase(
  text: string,
  raw: string,
  start: number,
  isStop: (word: string) => boolean,
  add: (kind: Name['kind'], raw: string, start: number) => void,
): void {
  let from = start;
  let phrase = withoutTrailing(raw.replace(/['’]s?$/u, ''), /[-&]/);
  for (;;) {
    const first = /^[\p{L}\p{N}'’.-]+/u.exec(phrase)?.[0] ?? '';
    const rest = phrase.slice(first.length).trimStart();
    const cut = isStop(plain(first)) && (rest === '' || startsSentence(text, from));
    if (!cut) break;
    if (rest === '') return;
    from += phrase.length - rest.length;
    phrase = rest;
  }
  const parts = splitAtJoiners(phrase);
  add(parts.length > 1 ? 'compound' : 'phrase', phrase, from);
  if (parts.length > 1) for (const part of parts) add('phrase', part.text, from + part.start);
}

/**
 * What stands between weak joiners: `Henry in Lyon` is two names, `Pride and Prejudice` one, and both readings are
 * kept.
 */
function splitAtJoiners(phrase: string): { text: string; start: number }[] {
  const parts: { text: string; start: number }[] = [];
  let start = 0;
  for (const joiner of phrase.matchAll(/[ \u00a0](?:in|on|at|to|for|and|&|-|y|e)(?:[ \u00a0]the)?[ \u00a0]/gu)) {
    parts.push({ text: phrase.slice(start, joiner.index), start });
    start = joiner.index + joiner[0].length;
  }
  return [...parts, { text: phrase.slice(start), start }];
}

export function startsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd();
  return before === '' || /[.!?:"“(\n-]$/u.test(before);
}
