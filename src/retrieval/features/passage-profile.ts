import { linkKeys, nameKeys } from '../../indexing/link-keys.ts';
import type { IndexedPassage } from '../../indexing/passage-index.ts';
import { readNames, type Name } from '../text/names.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord, phraseForm, readWords, stem } from '../text/words.ts';
import { titleForms } from './title-forms.ts';
import { writtenLinks } from './written-links.ts';

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
  /** Keys it answers to and keys it points at (see link-keys.ts). */
  nameKeys: ReadonlySet<string>;
  linkKeys: ReadonlySet<string>;
  /** Comparable forms of what the passage is called, the one it is best known by first (see title-forms.ts). */
  titles: string[];
  /** For every key that a link written in prose (wikilink, Markdown link, path) points at, the sentence of its first such link. */
  written: ReadonlyMap<string, number>;
  titleStems: Set<string>;
  /** Names by key, each with the sentence of its first mention. */
  names: Map<string, { name: Name; sentence: number }>;
}

const CODE_KINDS = new Set(['function', 'class', 'outline', 'code']);

/** Whether a passage is program text. */
export const isCodePassage = (passage: { kind: string }): boolean => CODE_KINDS.has(passage.kind);

/** Whether at least half of the passages are program text. */
export const mostlyCode = (passages: readonly IndexedPassage[]): boolean => passages.filter(isCodePassage).length * 2 >= Math.max(1, passages.length);

export function profilePassage(passage: IndexedPassage): PassageProfile {
  const isCode = isCodePassage(passage);
  const spans = splitSentences(passage.text, isCode ? 'code' : 'prose');
  const sentences = spans.map(({ start, end }) => profileSentence(passage.text, start, end));
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
  for (const word of readWords(passage.text)) count(word.text);
  const titleStems = new Set(titleWords.filter((word) => !isStopWord(word.text)).map((word) => stem(word.text)));
  const form = `${sentences.map((sentence) => sentence.form.trimEnd()).join('')} `;
  const titles = titleForms(passage, isCode);
  const said = `${form}${titles.map((title) => `| ${title} `).join('')}`;
  return {
    passage, isCode, counts, length, sentences, titleStems, form, titles,
    said,
    words: new Set(said.split(' ')),
    nameKeys: new Set(nameKeys(passage)),
    linkKeys: new Set(linkKeys(passage)),
    written: writtenLinks(passage, spans),
    names: namesOf(passage.text, spans),
  };
}

function profileSentence(text: string, start: number, end: number): SentenceProfile {
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

/** Profiles by passage id, the least recently used forgotten first. */
export class PassageProfiles {
  private readonly profiles = new Map<string, PassageProfile>();
  private readonly capacity: number;

  constructor(capacity = 4000) {
    this.capacity = capacity;
  }

  of(passage: IndexedPassage): PassageProfile {
    const known = this.profiles.get(passage.id);
    if (known !== undefined) {
      this.profiles.delete(passage.id);
      this.profiles.set(passage.id, known);
      // A passage may have received its vector since it was profiled.
      if (passage.vector !== undefined) known.passage = passage;
      return known;
    }
    const profile = profilePassage(passage);
    this.profiles.set(passage.id, profile);
    if (this.profiles.size > this.capacity) {
      const oldest = this.profiles.keys().next().value;
      if (oldest !== undefined) this.profiles.delete(oldest);
    }
    return profile;
  }
}
