import { stemOf } from '#base';
import { type Passage, type PassageLink, WRITTEN_LINKS } from '../../domain/passage.ts';
import { titleParts } from '../../domain/passage-title.ts';
import { type Name, nameForm, readNames } from '../../text/names.ts';
import { keysOfLink, linkKeys, nameKeys } from '../../domain/link-keys.ts';
import type { TextSpan } from '../../domain/passage-chain.ts';
import type { IndexedPassage } from '../../store/passage-index.ts';
import { splitSentences } from '../../text/sentences.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { phraseForm, readWords, stem } from '../../text/words.ts';

/**
 * `2024-02-17-silent-weekend` and `0003 Heated battery boxes` are spoken of without the date or running number in
 * front.
 */
const NUMBERED = /^(?:\p{N}{4} \p{N}{2} \p{N}{2} |0\p{N}+ )(?=\p{L}{3})/u;

/**
 * Comparable forms of what a passage is called, the one it is best known by first. A note is known by its document's
 * title and its file's name, then by the headings of several words over it; a piece of code by its
 * symbol, then by what encloses it and its file.
 */
export function titleForms(passage: Pick<Passage, 'title' | 'path'>, isCode: boolean): string[] {
  const parts = titleParts(passage.title).map(nameForm);
  const file = nameForm(stemOf(passage.path));
  if (isCode) return distinct([...parts.reverse(), file]);
  const [document = '', ...headings] = parts;
  const titles = [document, document.replace(NUMBERED, ''), file, file.replace(NUMBERED, '')];
  return distinct([...titles, ...headings.reverse().filter((heading) => heading.includes(' '))]);
}

const distinct = (forms: readonly string[]): string[] => [...new Set(forms.filter((form) => form.length > 1))];

/**
 * For every key that the passage's written links point at, the place of the sentence that holds the first link to it.
 */
function writtenLinks(passage: Passage, sentences: readonly TextSpan[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const link of passage.links) {
    if (!WRITTEN_LINKS.has(link.kind)) continue;
    const at = offsetOf(passage, link);
    const sentence = Math.max(
      0,
      sentences.findIndex(({ end }) => at < end),
    );
    for (const key of keysOfLink(link)) if (!places.has(key)) places.set(key, sentence);
  }
  return places;
}

/** Where a link is written, as exactly as its line and target tell. */
function offsetOf(passage: Passage, link: PassageLink): number {
  let line = 0;
  for (let row = passage.startLine; row < link.line; row++) {
    const next = passage.text.indexOf('\n', line);
    if (next < 0) break;
    line = next + 1;
  }
  const exact = passage.text.indexOf(link.target, line);
  return exact < 0 ? line : exact;
}

/** One sentence (or line of code) as the features see it. */
export interface SentenceProfile {
  start: number;
  end: number;
  stems: Set<string>;
  /** Plain words joined by single spaces, with one in front and behind: whole names are found in it by `includes`. */
  form: string;
}

/** A passage taken apart once, so that scoring it against many questions and chains is cheap. */
export interface PassageProfile {
  passage: IndexedPassage;
  isCode: boolean;
  /** Occurrences of each content stem in title and text. */
  counts: Map<string, number>;
  /** Content stems in title and text, repeats included. */
  length: number;
  sentences: SentenceProfile[];
  form: string;
  /** `form` with the titles behind it: whatever the passage says or is called. */
  said: string;
  /** The words of `said`. */
  words: ReadonlySet<string>;
  /** Keys it answers to and keys it points at. */
  nameKeys: ReadonlySet<string>;
  linkKeys: ReadonlySet<string>;
  /** See {@link titleForms}. */
  titles: string[];
  /**
   * For every key that a link written in prose (wikilink, Markdown link, path) points at, the sentence of its first
   * such link.
   */
  written: ReadonlyMap<string, number>;
  titleStems: Set<string>;
  /** Names by key, each with the sentence of its first mention. */
  names: Map<string, { name: Name; sentence: number }>;
}

const CODE_KINDS = new Set(['function', 'class', 'outline', 'code']);

/** Whether a passage is program text. */
export const isCodePassage = (passage: { kind: string }): boolean => CODE_KINDS.has(passage.kind);

/** Whether at least half of the passages are program text. */
export const mostlyCode = (passages: readonly IndexedPassage[]): boolean =>
  passages.filter(isCodePassage).length * 2 >= Math.max(1, passages.length);

export function profilePassage(passage: IndexedPassage): PassageProfile {
  const isCode = isCodePassage(passage);
  const { text } = passage;
  const spans = splitSentences(text, isCode ? 'code' : 'prose');
  const sentences = spans.map(({ start, end }) => profileSentence(text, start, end));
  const counts = new Map<string, number>();
  let length = 0;
  const count = (word: string): void => {
    if (isStopWord(word)) return;
    const key = stem(word);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    length++;
  };
  const titleWords = readWords(passage.title);
  for (const word of titleWords) count(word.text);
  for (const word of readWords(text)) count(word.text);
  const titleStems = new Set(titleWords.filter((word) => !isStopWord(word.text)).map((word) => stem(word.text)));
  const form = `${sentences.map((sentence) => sentence.form.trimEnd()).join('')} `;
  const titles = titleForms(passage, isCode);
  const said = `${form}${titles.map((title) => `| ${title} `).join('')}`;
  return {
    passage,
    isCode,
    counts,
    length,
    sentences,
    titleStems,
    form,
    titles,
    said,
    words: new Set(said.split(' ')),
    nameKeys: new Set(nameKeys(passage)),
    linkKeys: new Set(linkKeys(passage)),
    written: writtenLinks(passage, spans),
    names: namesOf(text, spans),
  };
}

/** A stretch of a text as the features see it. */
export function profileSentence(text: string, start: number, end: number): SentenceProfile {
  const words = readWords(text.slice(start, end));
  const stems = new Set(words.filter((word) => !isStopWord(word.text)).map((word) => stem(word.text)));
  return { start, end, stems, form: formOf(text.slice(start, end)) };
}

/** The searchable form of any text: see {@link SentenceProfile.form}. */
export const formOf = (text: string): string => ` ${phraseForm(text)} `;

function namesOf(text: string, spans: readonly { start: number; end: number }[]): PassageProfile['names'] {
  const names: PassageProfile['names'] = new Map();
  let sentence = 0;
  for (const name of readNames(text)) {
    while (sentence < spans.length - 1 && name.start >= (spans[sentence]?.end ?? 0)) sentence++;
    if (!names.has(name.key)) names.set(name.key, { name, sentence });
  }
  return names;
}

const leadAlike = (some: readonly PassageLink[], others: readonly PassageLink[]): boolean =>
  some === others ||
  (some.length === others.length &&
    some.every(({ path, anchor }, i) => path === others[i]?.path && anchor === others[i]?.anchor));

/** Profiles by passage id, the least recently used forgotten first. */
export class PassageProfiles {
  readonly #profiles = new Map<string, PassageProfile>();
  readonly #capacity: number;

  constructor(capacity = 4000) {
    this.#capacity = capacity;
  }

  /** A passage as it was when it was last profiled: the index may have another in its place by now. */
  lastSeen(id: string): IndexedPassage | undefined {
    return this.#profiles.get(id)?.passage;
  }

  of(passage: IndexedPassage): PassageProfile {
    const known = this.#profiles.get(passage.id);
    this.#profiles.delete(passage.id);
    // A file that its links name may have come or gone since: they lead elsewhere, and its text is the same.
    if (known !== undefined && leadAlike(known.passage.links, passage.links)) {
      this.#profiles.set(passage.id, known);
      // A passage may have received its vector since it was profiled.
      if (passage.vector !== undefined) known.passage = passage;
      return known;
    }
    const profile = profilePassage(passage);
    this.#profiles.set(passage.id, profile);
    if (this.#profiles.size > this.#capacity) {
      const oldest = this.#profiles.keys().next().value;
      if (oldest !== undefined) this.#profiles.delete(oldest);
    }
    return profile;
  }
}
