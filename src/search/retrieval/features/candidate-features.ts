import { addTo, cosine, mean, remembered, stemOf } from '#base';
import { isStopWord } from '../../text/stop-words.ts';
import { readWords, stem } from '../../text/words.ts';
import type { ChainOutlook, PartialChain } from '../chain-scorer.ts';
import { type ChainProfile, mentions, openGain, rarityOf, sentenceCoverage } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { AnalysedQuestion } from '../question.ts';
import type { FeatureTable } from './feature-table.ts';

/** Features of one candidate by name. */
export type FeatureRow = Record<string, number>;

const K1 = 1.2;
const B = 0.75;
/** Content stems of a usual passage: fixed, so that a passage scores the same among any rivals. */
const USUAL_LENGTH = 60;

/** BM25 of the question with rarity from the whole index, as a share of what the question could give. */
function bm25(question: AnalysedQuestion, candidate: PassageProfile): number {
  let score = 0;
  for (const key of question.stems) {
    const count = candidate.counts.get(key);
    if (count === undefined) continue;
    score +=
      ((question.idf.get(key) ?? 0) * count * (K1 + 1)) /
      (count + K1 * (1 - B + (B * candidate.length) / USUAL_LENGTH));
  }
  return score / Math.max(1, question.totalIdf);
}

const known = new WeakMap<AnalysedQuestion, Map<string, FeatureRow>>();

/**
 * How a candidate stands to the question alone: what head 1 sees, and head 2 among the rest. Worked out once per
 * question and passage.
 */
export function questionFeatures(question: AnalysedQuestion, candidate: PassageProfile): FeatureRow {
  const rows = remembered(known, question, () => new Map<string, FeatureRow>());
  return remembered(rows, candidate.passage.id, () => readQuestionFeatures(question, candidate));
}

function readQuestionFeatures(question: AnalysedQuestion, candidate: PassageProfile): FeatureRow {
  const total = Math.max(1e-9, question.totalIdf);
  const title = candidate.titles.find((form) => question.form.includes(` ${form} `));
  const inTitle = [...candidate.titleStems].filter((key) => question.idf.has(key)).length;
  const names = question.names;
  const named = names.filter((name) => mentions(candidate, name.key)).length;
  return {
    cosine: cosine(question.vector, candidate.passage.vector),
    movedCosine: cosine(question.moved, candidate.passage.vector),
    bm25: bm25(question, candidate),
    coverage: rarityOf(question, question.stems, (key) => candidate.counts.has(key)) / total,
    sentenceCoverage: Math.max(0, ...candidate.sentences.map((sentence) => sentenceCoverage(question, sentence))),
    titleCoverage: rarityOf(question, question.stems, (key) => candidate.titleStems.has(key)) / total,
    titleFraction: inTitle / Math.max(1, candidate.titleStems.size),
    titleInQuestion: title === undefined ? 0 : title.split(' ').length,
    pairs:
      question.pairs.filter(([a, b]) => candidate.counts.has(a) && candidate.counts.has(b)).length /
      Math.max(1, question.pairs.length),
    names: named,
    namesFraction: named / Math.max(1, names.length),
    titleNames: names.filter((name) => candidate.titles.some((form) => ` ${form} `.includes(` ${name.key} `))).length,
    isData: Number(candidate.passage.kind === 'data'),
    length: Math.log(1 + candidate.length),
    numbers: Math.log(1 + [...candidate.names.values()].filter(({ name }) => name.kind === 'number').length),
  };
}

/** What holds of the question alone, the same for every candidate. */
export const questionConstants = (question: AnalysedQuestion): FeatureRow => ({
  'question.terms': question.stems.length,
  'question.names': question.names.length,
});

/**
 * What a candidate's file adds where passages are parts of files: how well its other passages match, what
 * its path says. Reads the columns that {@link firstHopTable} has filled before.
 */
export function addFileFeatures(
  table: FeatureTable,
  question: AnalysedQuestion,
  candidates: readonly PassageProfile[],
): void {
  const members = new Map<string, number[]>();
  candidates.forEach(({ passage }, i) => addTo(members, passage.path, i));
  const cosines = table.column('cosine');
  const movedCosines = table.column('movedCosine');
  const bm25s = table.column('bm25');
  const asksForTests = Number(question.stems.includes('test'));
  for (const [path, rows] of members) {
    const falling = (column: Float64Array): number[] => rows.map((row) => column[row] ?? 0).sort((a, b) => b - a);
    const byCosine = falling(cosines);
    const isTest = Number(/(?:^|[/_.])tests?(?:[/_.]|$)/i.test(path));
    const words = new Set(
      readWords(path.replace(/\.[^.]+$/, ''))
        .filter((word) => !isStopWord(word.text))
        .map((word) => stem(word.text)),
    );
    const stemOfFile = stemOf(path).toLowerCase();
    const features = {
      fileShare: Math.log(1 + rows.length),
      fileCosine: byCosine[0] ?? 0,
      fileCosineThird: byCosine[Math.min(2, byCosine.length - 1)] ?? 0,
      fileMoved: falling(movedCosines)[0] ?? 0,
      fileBm25: falling(bm25s)[0] ?? 0,
      pathWords: [...words].filter((word) => question.idf.has(word)).length,
      fileNamed: Number(question.form.includes(` ${stemOfFile} `)),
      isTest,
      testAsked: isTest * asksForTests,
      testUnasked: isTest * (1 - asksForTests),
      pathDepth: path.split('/').length,
    };
    for (const row of rows)
      table.set(row, {
        ...features,
        isCode: Number(candidates[row]?.isCode),
        best: Number(cosines[row] === byCosine[0]),
      });
  }
  table.addStandings(['fileCosine', 'fileMoved', 'fileBm25', 'fileShare']);
}

/**
 * How passages name one another. An article on Wikipedia says the title of what it leads to; a note may write a link
 * instead, whatever words stand on it. Both are naming: heads that learnt from titles carry over to linked notes.
 */
export const namesPassage = (from: PassageProfile, to: PassageProfile): boolean => namesOneOf(from, to, to.titles);

/** Whether `from` says one of these titles of `to`, or links to it. */
export function namesOneOf(from: PassageProfile, to: PassageProfile, titles: readonly string[]): boolean {
  return titles.some((title) => from.form.includes(` ${title} `)) || linkedFrom(from, to) !== undefined;
}

/** Place in `from` of the sentence with the first written link to `to`; undefined when there is none. */
export function linkedFrom(from: PassageProfile, to: PassageProfile): number | undefined {
  if (from.written.size === 0) return undefined;
  let first: number | undefined;
  for (const key of to.nameKeys) {
    const sentence = from.written.get(key);
    if (sentence !== undefined && (first === undefined || sentence < first)) first = sentence;
  }
  return first;
}

/** What tells whether a chain holds all that its question needs and nothing else. */
export function completenessFeatures(
  question: AnalysedQuestion,
  chain: ChainProfile,
  scored: PartialChain,
  outlook: ChainOutlook,
  next: readonly PassageProfile[],
): FeatureRow {
  const logits = scored.logits;
  const [best = -12, second = -12] = outlook.continuations;
  const total = Math.max(1e-9, question.totalIdf);
  const gains = chain.passages.map((_, hop) => gainOf(question, chain.passages, hop) / total);
  const connected = chain.passages.map((passage, hop) => connection(chain.passages, passage, hop));
  const ownCosines = chain.passages.map((passage) => cosine(question.vector, passage.passage.vector));
  return {
    hops: chain.passages.length,
    covered: chain.coveredIdf / total,
    openTerms: chain.residual.length,
    openRarest: Math.max(0, ...chain.residual.map((key) => question.idf.get(key) ?? 0)),
    openNames: chain.openNames.length,
    openNamesFraction: chain.openNames.length / Math.max(1, question.names.length),
    logitFirst: logits[0] ?? 0,
    logitLast: logits.at(-1) ?? 0,
    logitLowest: Math.min(...logits),
    logitMean: mean(logits),
    nextLogit: best,
    nextMargin: best - second,
    lastOverNext: (logits.at(-1) ?? 0) - best,
    lowestOverNext: Math.min(...logits) - best,
    gainLast: gains.at(-1) ?? 0,
    gainLowest: Math.min(...gains),
    nextGain: next[0] === undefined ? 0 : openGain(question, chain, next[0]) / total,
    nextCosineToLast: cosine(next[0]?.passage.vector, chain.last.passage.vector),
    cosineLowest: Math.min(...ownCosines),
    cosineHighest: Math.max(...ownCosines),
    connectedLowest: Math.min(...connected),
    connectedLast: connected.at(-1) ?? 0,
    titlesAsked: chain.passages.filter((passage) =>
      passage.titles.some((title) => question.form.includes(` ${title} `)),
    ).length,
    bestSentence: Math.max(0, ...chain.last.sentences.map((sentence) => sentenceCoverage(question, sentence))),
    ...questionConstants(question),
  };
}

/** Rarity-weighted question terms that only this hop covers. */
const gainOf = (question: AnalysedQuestion, passages: readonly PassageProfile[], hop: number): number =>
  rarityOf(question, question.stems, (key) => passages.every(({ counts }, i) => counts.has(key) === (i === hop)));

/**
 * 2 when another hop names this one (by title or link) or the other way round, 1 when they share a name, 0 when nothing
 * joins them; 2 for a lone hop.
 */
function connection(passages: readonly PassageProfile[], passage: PassageProfile, hop: number): number {
  if (passages.length === 1) return 2;
  const others = passages.filter((_, i) => i !== hop);
  if (others.some((other) => namesPassage(other, passage) || namesPassage(passage, other))) return 2;
  return Number(others.some((other) => [...passage.names.keys()].some((key) => mentions(other, key))));
}
