import { type FeatureRow, linkedFrom, namesPassage } from '../features/candidate-features.ts';
import { cosine, expression, mean, sum } from '#base';
import type { TextSpan } from '../../domain/passage-chain.ts';
import type { ReadSentence } from './read-units.ts';
import { mentions, profileChain, sentenceCoverage } from '../features/chain-profile.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { FeatureTable } from '../features/feature-table.ts';
import { nameForm } from '../../text/names.ts';
import { readWords, stem } from '../../text/words.ts';
import type { CandidateSpan } from './candidate-spans.ts';
import { titleParts } from '../../domain/passage-title.ts';
import type { ExpectedAnswer } from '../expected-answer.ts';

/**
 * What tells whether passages carry an answer at all; `support` are the sentences' probabilities, `span` the best
 * span's.
 */
export function answerabilityFeatures(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  support: readonly number[],
  span: number,
): FeatureRow {
  const [first] = passages;
  if (first === undefined) return { empty: 1 };
  const chain = profileChain(question, passages);
  const total = Math.max(1e-9, question.totalIdf);
  const cosines = passages.map((passage) => cosine(question.vector, passage.passage.vector));
  const names = question.names.filter((name) => name.kind !== 'number');
  const found = names.filter((name) => passages.some((passage) => mentions(passage, name.key)));
  const titled = names.filter((name) =>
    passages.some((passage) => passage.titles.some((title) => ` ${title} `.includes(` ${name.key} `))),
  );
  const rows: FeatureRow = {
    empty: 0,
    passages: passages.length,
    covered: chain.coveredIdf / total,
    openRarest: Math.max(0, ...chain.residual.map((key) => question.idf.get(key) ?? 0)),
    names: names.length,
    openNames: names.length - found.length,
    namesFraction: names.length === 0 ? 1 : found.length / names.length,
    titledFraction: names.length === 0 ? 1 : titled.length / names.length,
    cosineHighest: Math.max(...cosines),
    cosineLowest: Math.min(...cosines),
    cosineMean: mean(cosines),
    bestSentence: Math.max(
      0,
      ...passages.flatMap((passage) => passage.sentences.map((sentence) => sentenceCoverage(question, sentence))),
    ),
    support: Math.max(0, ...support),
    supportSum: sum(support),
    span,
    joined: joinedPairs(passages),
  };
  return { ...rows, ...question.cues };
}

/** What the joint encoder says of a unit, as `unitFeatures` names it. */
const ENCODED = ['span', 'supported', 'support', 'enough', 'leadsOn', 'ownSpan', 'ownEnough', 'ownLeads'] as const;
/** Of the unit that comes first, and the most that any has. */
const OF_BEST = [
  'cosine',
  'passageCosine',
  'covered',
  'coveredAbove',
  'coveredInAll',
  'coveredInPassage',
  'holdsKind',
  'mayLead',
  'rarest',
  'pairs',
  ...ENCODED,
  'code',
] as const;
const MOST_OF_ALL = ['cosine', 'covered', 'coveredInAll', 'coveredInPassage', ...ENCODED] as const;
/** Of a feature that no unit has: the joint encoder read none. */
const UNKNOWN = -30;

/**
 * What tells whether notes or a program have an answer: how the best units stand among the others, what they have of
 * the question, and what is known of the chain.
 * @param answerable {@link answerabilityFeatures} of the chain's passages.
 * @param carried The probability of an answer that these give in prose.
 */
export function foundFeatures(
  answerable: FeatureRow,
  carried: number,
  { table, logits }: { table: FeatureTable; logits: readonly number[] },
): FeatureRow {
  const order = [...logits.keys()].sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  const logitAt = (place: number): number => logits[order[Math.min(place, order.length - 1)] ?? 0] ?? UNKNOWN;
  const names = new Set(table.names());
  const columnOf = (name: string): Float64Array => (names.has(name) ? table.column(name) : new Float64Array([UNKNOWN]));
  const features: FeatureRow = {
    ...answerable,
    carried,
    best: logitAt(0),
    second: logitAt(1),
    third: logitAt(2),
    sixth: logitAt(5),
    lead: logitAt(0) - logitAt(1),
    all: Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)),
    units: logits.length,
  };
  for (const name of OF_BEST)
    features[`best.${name}`] = columnOf(name)[names.has(name) ? (order[0] ?? 0) : 0] ?? UNKNOWN;
  for (const name of MOST_OF_ALL) features[`most.${name}`] = Math.max(...columnOf(name));
  for (const name of names) if (name.startsWith('asks.')) features[name] = table.column(name)[0] ?? 0;
  return features;
}

/** Share of passages that name another, by title or link, or are named. */
function joinedPairs(passages: readonly PassageProfile[]): number {
  if (passages.length < 2) return 0;
  const joined = passages.filter((passage) =>
    passages.some((other) => other !== passage && (namesPassage(other, passage) || namesPassage(passage, other))),
  );
  return joined.length / passages.length;
}

/** Words beside which a place, a person or a birth is named. */
const PLACE_BEFORE = /\b(?:in|at|from|near|of|to)\s+(?:the\s+)?$/i;
const PERSON_BEFORE = expression('i')`
  \b(?:by|with|son of|daughter of|wife|husband|actor|actress|director|singer|author|president|king|queen|mr\.?|sir|
    starring|named)\s+$
`;

/** What tells whether a span is the answer, given how well each sentence supports it. */
export function spanFeatures(
  question: QuestionProfile,
  expected: ExpectedAnswer,
  passages: readonly PassageProfile[],
  spans: readonly CandidateSpan[],
  support: ReadonlyMap<object, number>,
): FeatureTable {
  const table = new FeatureTable(spans.length);
  spans.forEach((span, row) => {
    const { profile, hop, index, text } = span.sentence;
    const before = text.slice(0, span.start - span.sentence.sentence.start);
    const words = span.key.split(' ');
    const others = passages.filter((passage) => passage !== profile);
    table.set(row, {
      support: support.get(span.sentence) ?? 0,
      inQuestion: Number(question.form.includes(` ${span.key} `)),
      wordsInQuestion: words.filter((word) => question.idf.has(stem(word))).length / words.length,
      hop,
      lastHop: Number(hop === passages.length - 1),
      position: index,
      length: words.length,
      nearness: nearness(question, span),
      early: (span.start - span.sentence.sentence.start) / Math.max(1, text.length),
      title: Number(isHeading(profile, span.key)),
      otherTitle: Number(others.some((other) => isHeading(other, span.key))),
      elsewhere: others.filter((other) => other.form.includes(` ${span.key} `)).length,
      placeBefore: Number(PLACE_BEFORE.test(before)),
      personBefore: Number(PERSON_BEFORE.test(before)),
      date: Number(span.kind === 'date'),
      number: Number(span.kind === 'number'),
      phrase: Number(span.kind === 'phrase'),
      quote: Number(span.kind === 'quote'),
      noun: Number(span.kind === 'noun'),
      fits: fits(expected, span),
      titleAsked: Number(profile.titles.some((title) => question.form.includes(` ${title} `))),
    });
  });
  table.addStandings(['support', 'nearness']);
  const kinds: FeatureRow = {};
  for (const kind of ['person', 'date', 'number', 'place', 'name', 'other'] as const)
    kinds[`expects.${kind}`] = Number(expected.kind === kind);
  table.setAll({ ...kinds, passages: passages.length });
  return table;
}

/** Whether a name is a title or heading as written: file names answer nothing. */
const isHeading = ({ passage }: PassageProfile, key: string): boolean =>
  titleParts(passage.title).some((part) => nameForm(part) === key);

/** Rarity-weighted nearness (by words) of the question's terms around the span, in its sentence. */
function nearness(question: QuestionProfile, span: CandidateSpan): number {
  const offset = span.sentence.sentence.start;
  const words = readWords(span.sentence.text);
  const at = words.findIndex((word) => word.start >= span.start - offset);
  let sum = 0;
  words.forEach((word, i) => {
    const idf = question.idf.get(stem(word.text));
    if (idf !== undefined) sum += idf / (1 + Math.abs(i - at));
  });
  return sum / Math.max(1e-9, question.totalIdf);
}

/** 1 when the span's form is what is expected, 0 when it cannot be, 0.5 when it may. */
function fits(expected: ExpectedAnswer, span: CandidateSpan): number {
  switch (expected.kind) {
    case 'date':
      return Number(span.kind === 'date');
    case 'number':
      return span.kind === 'number' ? 1 : span.kind === 'date' ? 0.3 : 0;
    case 'person':
      return span.kind === 'phrase' ? Math.min(1, 0.4 + 0.3 * (span.key.split(' ').length - 1)) : 0;
    case 'place':
      return Number(span.kind === 'phrase');
    case 'name':
    case 'other':
      return span.kind === 'phrase' || span.kind === 'quote' ? 0.7 : 0.4;
    case 'yes-no':
    case 'choice':
      return 0;
  }
}

/** The question's coverage by each unit, with the best of its passage. */
function coverages(
  question: QuestionProfile,
  sentences: readonly ReadSentence[],
): { coverage: number; best: number }[] {
  const best = new Map<PassageProfile, number>();
  const own = sentences.map(({ sentence, profile }) => {
    const coverage = sentenceCoverage(question, sentence);
    best.set(profile, Math.max(coverage, best.get(profile) ?? 0));
    return coverage;
  });
  return own.map((coverage, i) => {
    const profile = sentences[i]?.profile;
    return { coverage, best: (profile && best.get(profile)) ?? 0 };
  });
}

/** Whether the first written link to a passage stands in a stretch of another. */
function linksFrom(from: PassageProfile, to: PassageProfile, stretch: TextSpan): boolean {
  const sentence = linkedFrom(from, to);
  const place = sentence === undefined ? undefined : from.sentences[sentence];
  return place !== undefined && place.start < stretch.end && stretch.start < place.end;
}

/** What tells whether a unit supports the answer. */
export function supportFeatures(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  sentences: readonly ReadSentence[],
): FeatureTable {
  const table = new FeatureTable(sentences.length);
  const covered = coverages(question, sentences);
  sentences.forEach(({ profile, hop, index, of, sentence, vector }, row) => {
    const inside = ({ start }: TextSpan): boolean => start >= sentence.start && start < sentence.end;
    const others = passages.filter((passage) => passage !== profile);
    const namesOther = others.filter(
      (other) =>
        other.titles.some((title) => sentence.form.includes(` ${title} `)) || linksFrom(profile, other, sentence),
    ).length;
    const bridges = [...profile.names.values()].filter(
      (entry) =>
        inside(entry.name) &&
        entry.name.kind !== 'number' &&
        !question.form.includes(` ${entry.name.key} `) &&
        others.some((other) => other.form.includes(` ${entry.name.key} `)),
    ).length;
    const { coverage, best } = covered[row] ?? { coverage: 0, best: 0 };
    table.set(row, {
      coverage,
      namesOther,
      bridges,
      hop,
      cosine: cosine(question.vector, vector),
      passageCosine: cosine(question.vector, profile.passage.vector),
      bestOfPassage: Number(coverage > 0 && coverage === best),
      behindBest: best - coverage,
      position: index,
      first: Number(index === 0),
      sentences: of,
      passages: passages.length,
      words: Math.log(1 + sentence.stems.size),
      questionNames: question.names.filter((name) => sentence.form.includes(` ${name.key} `)).length,
      numbers: Number(/\p{N}{3,}/u.test(sentence.form)),
      titleAsked: Number(profile.titles.some((title) => question.form.includes(` ${title} `))),
    });
  });
  table.addStandings(['coverage', 'cosine', 'bridges']);
  table.setAll(question.cues);
  return table;
}
