import {
  expectedAnswer,
  isProseLanguage,
  isStopWord,
  type Name,
  nameForm,
  plain,
  type QuestionClassification,
  type QuestionType,
  readNames,
  readWords,
  type SearchHit,
  stem,
} from '#search';
import type { StrategyInput } from '#research';

/** "the director of the film", "the song's author": one thing reached through another. */
const RELATION = /\b(?:of|by|in|from|at) (?:the|a|an|which|whose)\b|['’]s\b/giu;
/** "the person who …", "the city where …". */
const CLAUSE = /\b(?:who|whom|whose|which|that|where|when|after|before)\b/giu;
const EACH = /\b(?:both|either|same|respectively|or|than|between|common)\b/iu;

/** How many passages an answer is likely to need, 1 to 4, guessed from the wording alone. */
export function expectedHops(question: string, type: QuestionType): number {
  const relations = [...question.matchAll(RELATION)].length;
  const clauses = Math.max(0, [...question.matchAll(CLAUSE)].length - 1); // one of them asks
  const steps = 1 + Math.ceil((relations + clauses) / 2);
  switch (type) {
    case 'comparison':
      return Math.min(4, Math.max(2, steps));
    case 'lookup':
      return 1;
    case 'overview':
      return 4;
    case 'inference':
    case 'temporal':
    case 'null':
      return Math.min(4, EACH.test(question) ? Math.max(2, steps) : steps);
  }
}

/** Version of {@link questionFeatures}: outcomes and states made with another one are not mixed in. */
export const QUESTION_FEATURES_VERSION = 2;

/** What is known of the model that would answer. */
interface ModelAtHand {
  id: string;
  contextTokens: number;
}

export interface FeatureInput {
  question: string;
  /** Earlier exchanges of the thread. */
  historyLength: number;
  classification: QuestionClassification;
  /** The first search's hits, best first. */
  hits: readonly SearchHit[];
  model: ModelAtHand;
}

/** Names of the features, in their order. Each is about 0..1. */
export const QUESTION_FEATURES = [
  'constant',
  'inference',
  'comparison',
  'temporal',
  'lookup',
  'overview',
  'length',
  'names',
  'hops',
  'follow-up',
  'asks-yes-no',
  'asks-choice',
  'top-score',
  'score-spread',
  'lists-agree',
  'terms-covered',
  'names-covered-first',
  'names-covered-all',
  'files',
  'code',
  'notes',
  'model-context',
  'model-size',
  'model-local',
] as const;

export type QuestionFeature = (typeof QUESTION_FEATURES)[number];

/**
 * A question as the bandit sees it (AQA's context vector): its type, its words, what one search found, what is searched
 * and who would answer. Arithmetic only: the search and the classification are made before, and no language model is
 * asked.
 */
export function questionFeatures(input: FeatureInput): Float64Array {
  const values: Record<QuestionFeature, number> = {
    constant: 1,
    ...typeFeatures(input.classification),
    ...wordFeatures(input),
    ...searchFeatures(input),
    ...corpusFeatures(input.hits),
    ...modelFeatures(input.model),
  };
  return Float64Array.from(QUESTION_FEATURES, (name) => values[name]);
}

function typeFeatures({ probabilities, type }: QuestionClassification) {
  const of = (name: 'inference' | 'comparison' | 'temporal' | 'lookup' | 'overview'): number =>
    probabilities[name] ?? (type === name ? 1 : 0);
  return {
    inference: of('inference'),
    comparison: of('comparison'),
    temporal: of('temporal'),
    lookup: of('lookup'),
    overview: of('overview'),
  };
}

function wordFeatures({ question, historyLength, classification }: FeatureInput) {
  const names = readNames(question);
  const { kind } = expectedAnswer({ text: question, names });
  return {
    length: saturate(readWords(question).length, 15),
    names: saturate(keysOf(names).size, 2),
    hops: Math.min(1, (expectedHops(question, classification.type) - 1) / 3),
    'follow-up': historyLength > 0 ? 1 : 0,
    'asks-yes-no': kind === 'yes-no' ? 1 : 0,
    'asks-choice': kind === 'choice' ? 1 : 0,
  };
}

function searchFeatures({ question, hits }: FeatureInput) {
  const cosines = hits.flatMap((hit) => hit.parts.vector?.score ?? []).sort((a, b) => b - a);
  const top = cosines[0] ?? 0;
  const first = hits[0];
  const terms = new Set(
    readWords(question)
      .filter((word) => !isStopWord(word.text))
      .map((word) => stem(word.text)),
  );
  const found = new Set(
    hits
      .slice(0, 5)
      .flatMap((hit) => readWords(`${hit.passage.title} ${hit.passage.text}`).map((word) => stem(word.text))),
  );
  const names = keysOf(readNames(question));
  return {
    'top-score': Math.max(0, top),
    'score-spread': Math.min(1, 5 * Math.max(0, top - (cosines[4] ?? cosines.at(-1) ?? 0))),
    'lists-agree': first?.parts.text?.rank === 1 && first.parts.vector?.rank === 1 ? 1 : 0,
    'terms-covered': shareOf(terms, (term) => found.has(term)),
    'names-covered-first': shareOf(names, (name) => first !== undefined && holdsName(first, name)),
    'names-covered-all': shareOf(names, (name) => hits.slice(0, 5).some((hit) => holdsName(hit, name))),
  };
}

/**
 * What the index holds, told by what the search found: the share of code and of notes, and over how many files the hits
 * are spread.
 */
function corpusFeatures(hits: readonly SearchHit[]) {
  const notes = hits.filter((hit) => isProseLanguage(hit.passage.language)).length;
  const share = (count: number): number => (hits.length === 0 ? 0 : count / hits.length);
  return {
    files: share(new Set(hits.map((hit) => hit.passage.path)).size),
    code: share(hits.length - notes),
    notes: share(notes),
  };
}

/** A size in the model's name ("1.5b", "7B"), in billions of parameters. */
const SIZE = /(?<![\d.])(\d+(?:\.\d+)?)\s?b\b/i;

function modelFeatures({ id, contextTokens }: ModelAtHand) {
  const size = SIZE.exec(id)?.[1];
  return {
    'model-context': Math.min(1, Math.max(0, Math.log2(contextTokens / 2048) / 7)),
    // Those that do not tell are the large hosted ones.
    'model-size': size === undefined ? 1 : saturate(Number(size), 14),
    'model-local': /@(?:localhost|127\.|\[::1\])/.test(id) ? 1 : 0,
  };
}

const keysOf = (names: readonly Name[]): Set<string> =>
  new Set(names.filter((name) => name.kind !== 'number').map((name) => name.key));
const holdsName = ({ passage }: SearchHit, name: string): boolean =>
  ` ${nameForm(passage.title)} ${plain(passage.text).replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${name} `);
const shareOf = (items: ReadonlySet<string>, holds: (item: string) => boolean): number =>
  items.size === 0 ? 1 : [...items].filter(holds).length / items.size;
/** 0 at 0, ½ at `half`, towards 1. */
const saturate = (value: number, half: number): number => value / (value + half);

/** Hits of the search whose scores are features. */
const FIRST_SEARCH = 10;

/** Features of a question that is about to be answered by a model: it is looked up once, by words and meaning. */
export async function firstLook(
  { question, classification, retriever, signal }: StrategyInput,
  model: ModelAtHand,
): Promise<Float64Array> {
  const { hits } = await retriever.search(
    question.text,
    { retriever: 'hybrid', limit: FIRST_SEARCH, ...(question.scope && { filter: question.scope }) },
    signal,
  );
  return questionFeatures({
    question: question.text,
    historyLength: question.history.length,
    classification,
    hits,
    model,
  });
}
