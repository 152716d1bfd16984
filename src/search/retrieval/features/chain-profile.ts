import { titleParts } from '../../domain/passage-title.ts';
import { withoutClosingBracket } from '../../domain/link-keys.ts';
import { readWords, segmentsOf, stem } from '../../text/words.ts';
import { nameForm, type Name } from '../../text/names.ts';
import type { PassageProfile, SentenceProfile } from './passage-profile.ts';
import type { AnalysedQuestion } from '../question.ts';

/** A name that the chain brought and the question lacks: what may lead on. */
interface BridgeName {
  key: string;
  text: string;
  /** Perhaps two names joined: looked for, but not said twice in a query. */
  compound: boolean;
  /** Hop whose passage mentions it first, and the sentence there. */
  hop: number;
  sentence: number;
  /** Share (0..1, by rarity) of the question that the sentence mentioning it covers. */
  support: number;
}

/** What a chain has covered of its question, and what it opened. */
export interface ChainProfile {
  passages: readonly PassageProfile[];
  last: PassageProfile;
  /** Question stems found in any passage of the chain. */
  covered: Set<string>;
  coveredIdf: number;
  /** Question stems found in none. */
  residual: string[];
  residualIdf: number;
  /** Names of the question found in no passage of the chain. */
  openNames: Name[];
  bridges: Map<string, BridgeName>;
}

export function profileChain(question: AnalysedQuestion, passages: readonly PassageProfile[]): ChainProfile {
  const last = passages.at(-1);
  if (last === undefined) throw new RangeError('A chain holds at least one passage.');
  const covered = new Set(question.stems.filter((key) => passages.some((passage) => passage.counts.has(key))));
  const residual = question.stems.filter((key) => !covered.has(key));
  return {
    passages,
    last,
    covered,
    residual,
    coveredIdf: rarityOf(question, covered, () => true),
    residualIdf: rarityOf(question, residual, () => true),
    openNames: question.names.filter((name) => !passages.some((passage) => mentions(passage, name.key))),
    bridges: bridgesOf(question, passages),
  };
}

/** Rarity of those of a question's stems for which `has` holds, summed up. */
export function rarityOf(question: AnalysedQuestion, stems: Iterable<string>, has: (stem: string) => boolean): number {
  let sum = 0;
  for (const key of stems) if (has(key)) sum += question.idf.get(key) ?? 0;
  return sum;
}

/** What a passage has of what a chain leaves open. */
export const openGain = (question: AnalysedQuestion, { residual }: ChainProfile, next: PassageProfile): number =>
  rarityOf(question, residual, (key) => next.counts.has(key));

/**
 * Whether a passage's text or title says this name (as whole words). Most do not, which one look-up of the first word
 * settles.
 */
export function mentions(passage: PassageProfile, key: string): boolean {
  const space = key.indexOf(' ');
  if (space < 0) return passage.words.has(key);
  return passage.words.has(key.slice(0, space)) && passage.said.includes(` ${key} `);
}

/** Share (0..1, by rarity) of the question's terms in a sentence. */
export const sentenceCoverage = (question: AnalysedQuestion, sentence: SentenceProfile): number =>
  coverageOf(question, (key) => sentence.stems.has(key));

/** Share (0..1, by rarity) of the question that terms of it are for which `has` holds. */
export const coverageOf = (
  question: AnalysedQuestion,
  has: (stem: string) => boolean,
  stems = question.stems,
): number => (question.totalIdf === 0 ? 0 : rarityOf(question, stems, has) / question.totalIdf);

function bridgesOf(question: AnalysedQuestion, passages: readonly PassageProfile[]): Map<string, BridgeName> {
  const bridges = new Map<string, BridgeName>();
  for (let hop = passages.length - 1; hop >= 0; hop--) {
    const passage = passages[hop];
    if (passage === undefined) continue;
    const supports = passage.sentences.map((sentence) => sentenceCoverage(question, sentence));
    for (const [key, { name, sentence }] of passage.names) {
      if (bridges.has(key) || question.form.includes(` ${key} `)) continue;
      bridges.set(key, {
        key,
        text: name.text,
        compound: name.kind === 'compound',
        hop,
        sentence,
        support: supports[sentence] ?? 0,
      });
    }
    const parts = titleParts(passage.passage.title);
    // A note is about its document's title, a piece of code about its symbol.
    const title = withoutClosingBracket((passage.isCode ? parts.at(-1) : parts[0]) ?? '');
    const key = nameForm(title);
    if (key.length > 1 && !bridges.has(key) && !question.form.includes(` ${key} `))
      bridges.set(key, { key, text: title, compound: false, hop, sentence: -1, support: Math.max(0, ...supports) });
  }
  return bridges;
}

/** Names in one query after which more say less. */
const MOST_NAMES = 12;

/**
 * The question with what the chain covers left out and the names that the chain brought put in its place: "first
 * president association" after a passage on a journal becomes "Who was the first president American Psychological
 * Association". The terms of a question that no passage covers say what is still sought; the new names say of whom.
 * Embedded, it finds the next passage about twice as often as question and chain joined.
 */
export const queryTextFor = (question: AnalysedQuestion, chain: ChainProfile): string =>
  `${residualWords(question, chain)} ${queryNames(chain).join(', ')}`.trim();

/** Names in the order in which they help: the last hop's first, in reading order. */
const queryNames = (chain: ChainProfile): string[] =>
  [...chain.bridges.values()]
    .filter(({ compound, key }) => !compound && !/^[\p{N} ]+$/u.test(key))
    .slice(0, MOST_NAMES)
    .map(({ text }) => text);

/**
 * Words of the question that the chain leaves open, as written, with the stop words between them but not those beside
 * covered words.
 */
function residualWords(question: AnalysedQuestion, chain: ChainProfile): string {
  const tokens = [...question.text.matchAll(/[\p{L}\p{N}_'’-]+/gu)].flatMap((match) =>
    segmentsOf(match[0]).map(({ text, start }) => ({ text, start: match.index + start })),
  );
  const states = tokens.map((token): 'stop' | 'covered' | 'open' => {
    const stems = readWords(token.text)
      .map((word) => stem(word.text))
      .filter((key) => question.idf.has(key));
    if (stems.length === 0) return 'stop';
    return stems.every((key) => chain.covered.has(key)) ? 'covered' : 'open';
  });
  if (!states.includes('open')) return question.text;
  const isKept = (i: number): boolean =>
    states[i] === 'open' || (states[i] === 'stop' && states[i - 1] !== 'covered' && states[i + 1] !== 'covered');
  return tokens.reduce((kept, { text, start }, i) => {
    if (!isKept(i)) return kept;
    const before = tokens[i - 1];
    const goesOn = kept === '' || (before !== undefined && before.start + before.text.length === start);
    return goesOn ? kept + text : `${kept} ${text}`;
  }, '');
}
