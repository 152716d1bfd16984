import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError, sigmoid, yieldToOthers } from '#base';
import { modelShape, predict, predictTable } from '../heads/model.ts';
import type { Embedder } from '../../embedding/embedder.ts';
import type { PassageIndex } from '../../store/passage-index.ts';
import type { PassageProfile, PassageProfiles } from '../features/passage-profile.ts';
import type { FeatureRow } from '../features/candidate-features.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import { profileQuestion, type QuestionProfile, questionTerms } from '../features/question-profile.ts';
import type { Reading } from '../retriever.ts';
import { answerabilityFeatures, foundFeatures, spanFeatures, supportFeatures } from './reader-features.ts';
import { type ReadSentence, sentencesOf, withoutUpkeep } from './read-units.ts';
import { type CandidateSpan, candidateSpans } from './candidate-spans.ts';
import { chooseOption } from './choose-option.ts';
import { type JointEncoder, orUnread } from '../encoder/joint-encoder.ts';
import { encodeUnits } from './encode-units.ts';
import { sentenceCoverage } from '../features/chain-profile.ts';
import {
  type FittedScore,
  fittingFirst,
  holdsAskedKind,
  type ScoredUnit,
  showsAnswer,
  speaksOfCounted,
} from './fitting-first.ts';
import { quotedPart } from './long-rows.ts';
import { isAskedField, isProse, unitFeatures, unitInContext } from './unit-features.ts';
import { expectedAnswer, type ExpectedAnswer } from '../expected-answer.ts';

const fileShape = z.object({
  version: z.literal(1),
  /** What was learnt from and what cross-validation said; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  /** Whether a sentence is needed for the answer. */
  support: modelShape,
  /** Whether a span is the answer: the best one's probability is something that `answerable` sees. */
  span: modelShape,
  /** Whether the passages carry an answer at all. */
  answerable: modelShape,
  /** Whether a unit is what the question asks for; learnt from notes and code too. Absent: `support` says it. */
  unit: modelShape.optional(),
  /** The same, where the joint encoder read some of the units. */
  encodedUnit: modelShape.optional(),
  /** Whether there is an answer in what is no prose, by the units; learnt from notes and code. */
  found: modelShape.optional(),
  /** The same, where the joint encoder read none of them: it is not there, or its time was up. */
  unreadFound: modelShape.optional(),
});

/** Trained models of the reader. */
export type ReaderWeights = z.infer<typeof fileShape>;

/** The weights of the reader cannot be used. */
class ReaderWeightsError extends HoptrailError {
  readonly code = 'reader-weights';
}

/** Reads the weights from a file such as `models/reader.json`. @throws ReaderWeightsError */
export function readReaderWeights(file: string): ReaderWeights {
  const advice = 'Reinstall the extension, or rebuild the file with npm run train:scorer.';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ReaderWeightsError(`The reader's weights cannot be read from ${file}: ${(cause as Error).message}`, {
      cause,
      advice,
    });
  }
  const parsed = fileShape.safeParse(value);
  if (!parsed.success)
    throw new ReaderWeightsError(
      `The reader's weights in ${file} do not have the expected shape: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, advice },
    );
  return parsed.data;
}

interface ReaderPorts {
  index: PassageIndex;
  embedder: Embedder;
  profiles: PassageProfiles;
  /** Reads question and passage together; undefined: features alone choose. */
  encoder?: JointEncoder;
  /** Told why the encoder did not read. */
  unread?: (error: unknown) => void;
}

/**
 * The reader of Beam Retrieval (arXiv 2308.08973, §3.4) as far as features carry: supporting units, which of two things
 * is earlier, and whether the passages answer at all. Passages are read in the order given: the chain's.
 */
export async function readPassages(
  ports: ReaderPorts,
  weights: ReaderWeights,
  question: string,
  passageIds: readonly string[],
  further: readonly string[],
  signal?: AbortSignal,
): Promise<Reading> {
  const terms = questionTerms(question);
  const ids = [...new Set([...passageIds, ...further])];
  const [present, { frequencies, total }, vector] = await Promise.all([
    ports.index.get(ids),
    ports.index.documentFrequencies(terms.map(({ word }) => word)),
    ports.embedder.embedQuery(question, signal),
  ]);
  const profile = profileQuestion(question, vector, frequencies, total);
  // What was found is read even where its file was changed meanwhile, which gives its passages other ids.
  const known = new Map(present.map((passage) => [passage.id, passage]));
  const passages = ids.flatMap((id) => known.get(id) ?? ports.profiles.lastSeen(id) ?? []);
  const read = passages.map((passage) => ports.profiles.of(passage));
  await yieldToOthers(signal);
  const asked = new Set(passageIds);
  const chain = read.filter(({ passage }) => asked.has(passage.id)).length;
  const units = await embedSentences(
    profile,
    withoutUpkeep(question, sentencesOf(read)),
    chain,
    ports.embedder,
    signal,
  );
  if (!ports.encoder || !weights.unit) return interpret(profile, read, units, weights, chain);
  const worth = rankUnits(profile, units, chain, { unit: weights.unit })?.logits ?? [];
  const encoding = encodeUnits(question, units, worth, ports.encoder, signal);
  const encoded = await orUnread(encoding, [], ports.unread, signal);
  const both = units.map((unit, i) => ({ ...unit, encoded: encoded[i] }));
  return interpret(profile, read, both, weights, chain);
}

/**
 * Characters of the units that are embedded, 0.4 s of it on two cores: beyond them words and places decide alone. Of
 * 104 questions about a handbook and a program, three times as much showed one or two answers more.
 */
const MOST_EMBEDDED = 6_000;
/** Characters of one unit that count: a network reads no more of it. */
const MOST_OF_ONE = 2_000;
/** What being in the chain is worth against sharing words, when there are more. */
const CHAIN_FIRST = 0.3;

/** Units with their vectors, in what has to be read before them; of too many those that share the rarest words. */
export async function embedSentences(
  question: QuestionProfile,
  sentences: readonly ReadSentence[],
  chain: number,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<ReadSentence[]> {
  const worth = sentences.map(
    ({ sentence, hop }) => sentenceCoverage(question, sentence) + (hop < chain ? CHAIN_FIRST : 0),
  );
  const texts = sentences.map(unitInContext);
  let characters = 0;
  const most = [...sentences.keys()]
    .sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
    .filter((i) => (characters += Math.min(texts[i]?.length ?? 0, MOST_OF_ONE)) <= MOST_EMBEDDED);
  const vectors = await embedder.embedPassages(
    most.map((i) => texts[i] ?? ''),
    signal,
    true,
  );
  const found = new Map(most.map((i, n) => [i, vectors[n]]));
  return sentences.map((sentence, i) => ({ ...sentence, vector: found.get(i) }));
}

/**
 * The reading of profiled passages: everything after the embeddings.
 * @param chain So many of the passages are the chain's, and come first: what is chosen by years is theirs alone.
 */
export function interpret(
  question: QuestionProfile,
  all: readonly PassageProfile[],
  units: readonly ReadSentence[],
  weights: ReaderWeights,
  chain = all.length,
): Reading {
  const passages = all.slice(0, chain);
  const { supported, expected, answerable, carried } = judgeChain(question, passages, units, weights);
  // Right for 17 of 19 among 300 questions kept aside; yes or no was for 24 of 37, the best span for 48 of 207 (17 of
  // the 40 surest): those are no answers, and their units speak for themselves.
  const byYears = expected.kind === 'choice' ? chooseOption(question, expected, passages) : undefined;
  const ranking = rankUnits(question, units, chain, weights);
  const scored = ranking ? askedFieldsFirst(question, withSupport(units, ranking.logits), chain) : supported;
  const fitted = [...fittingFirst(question, scored)].sort(
    (a, b) => b.support - a.support || Number(b.fits) - Number(a.fits),
  );
  const first = fitted.find(({ fits }) => fits);
  const found = isRead(units) ? weights.found : (weights.unreadFound ?? weights.found);
  // In prose the chain's passages tell, elsewhere the best units do.
  const answerability =
    found && ranking && passages.length > 0 && !isProse(units)
      ? sigmoid(predict(found, foundFeatures(answerable, carried, ranking)))
      : carried;
  return {
    ...(byYears && { byYears }),
    sentences: fitted.map((unit) => {
      const { passage } = unit.profile;
      const part = quotedPart(question, unit);
      return {
        ...part,
        passageId: passage.id,
        text: passage.text.slice(part.start, part.end),
        score: unit.support,
        fits: unit.fits,
      };
    }),
    answerability: byKind(question, all, units, first, answerability),
  };
}

/**
 * Where no line holds a number, or nothing has a word of what is to be counted, there is no answer to `how many`; and
 * none is refused above a line that shows it.
 */
function byKind(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  units: readonly ReadSentence[],
  first: FittedScore | undefined,
  answerability: number,
): number {
  if (!holdsAskedKind(question, units) || !speaksOfCounted(question, passages)) return 0;
  return first && showsAnswer(question, first) ? Math.max(answerability, SHOWN) : answerability;
}

/**
 * At least so sure is an answer whose line shows what is asked for: enough to be kept, unless several words of the
 * question stand in no file.
 */
const SHOWN = 0.5;

/** Units as features, with the logit that each is what the question asks for. */
interface UnitRanking {
  table: FeatureTable;
  logits: number[];
}

/** Whether the joint encoder read some of the units. */
const isRead = (units: readonly ReadSentence[]): boolean => units.some(({ encoded }) => encoded);

/** Undefined where no model for units is there. Another one judges where the joint encoder read some. */
export function rankUnits(
  question: QuestionProfile,
  units: readonly ReadSentence[],
  chain: number,
  weights: Pick<ReaderWeights, 'unit' | 'encodedUnit'>,
): UnitRanking | undefined {
  const model = (isRead(units) && weights.encodedUnit) || weights.unit;
  if (!model) return undefined;
  const table = unitFeatures(question, units, chain);
  return { table, logits: predictTable(model, table) };
}

const withSupport = (units: readonly ReadSentence[], logits: readonly number[]): ScoredUnit[] =>
  units.map((each, i) => ({ ...each, support: sigmoid(logits[i] ?? -Infinity) }));

/** What the chain's passages tell on their own: their sentences' support, and whether they carry an answer. */
function judgeChain(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  units: readonly ReadSentence[],
  weights: ReaderWeights,
): { supported: ScoredUnit[]; expected: ExpectedAnswer; answerable: FeatureRow; carried: number } {
  const sentences = units.filter(({ hop }) => hop < passages.length);
  const supported = scoreSupport(question, passages, sentences, weights);
  const expected = expectedAnswer(question);
  const [best] = scoreSpans(question, expected, passages, supported, weights);
  const answerable = answerabilityFeatures(
    question,
    passages,
    supported.map(({ support }) => support),
    best?.score ?? 0,
  );
  const carried = passages.length === 0 ? 0 : sigmoid(predict(weights.answerable, answerable));
  return { supported, expected, answerable, carried };
}

/** What tells whether notes or a program have an answer, for `weights.found`. */
export function foundIn(
  question: QuestionProfile,
  all: readonly PassageProfile[],
  units: readonly ReadSentence[],
  chain: number,
  ranking: UnitRanking,
  weights: ReaderWeights,
): FeatureRow {
  const { answerable, carried } = judgeChain(question, all.slice(0, chain), units, weights);
  return foundFeatures(answerable, carried, ranking);
}

/**
 * In the chain's last passage, where the answer stands, a field that is asked for by its name counts as much as the
 * best unit of all. Of 752 questions it changed one or two either way; without it a trail to a field often stops short.
 */
function askedFieldsFirst(question: QuestionProfile, units: readonly ScoredUnit[], chain: number): ScoredUnit[] {
  const best = Math.max(0, ...units.map(({ support }) => support));
  return units.map((unit) =>
    unit.hop === chain - 1 && isAskedField(question, unit)
      ? { ...unit, support: Math.max(unit.support, best) + 1e-6 }
      : unit,
  );
}

/** Probability of support for each sentence, in reading order. */
export function scoreSupport(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  sentences: readonly ReadSentence[],
  weights: Pick<ReaderWeights, 'support'>,
): ScoredUnit[] {
  return withSupport(sentences, predictTable(weights.support, supportFeatures(question, passages, sentences)));
}

/** Candidate spans with their probability of being the answer, best first. */
export function scoreSpans(
  question: QuestionProfile,
  expected: ExpectedAnswer,
  passages: readonly PassageProfile[],
  sentences: readonly ScoredUnit[],
  weights: Pick<ReaderWeights, 'span'>,
): { span: CandidateSpan; score: number }[] {
  const spans = sentences.flatMap(candidateSpans);
  const support = new Map<object, number>(sentences.map((sentence) => [sentence, sentence.support]));
  const logits = predictTable(weights.span, spanFeatures(question, expected, passages, spans, support));
  return spans.map((span, i) => ({ span, score: sigmoid(logits[i] ?? -Infinity) })).sort((a, b) => b.score - a.score);
}
