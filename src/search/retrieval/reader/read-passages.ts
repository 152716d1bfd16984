import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError, sigmoid, yieldToOthers } from '#base';
import type { Embedder } from '../../embedding/embedder.ts';
import type { PassageIndex } from '../../store/passage-index.ts';
import { forOneStage, type JointEncoder, orUnread } from '../encoder/joint-encoder.ts';
import { sentenceCoverage } from '../features/chain-profile.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import type { PassageProfile, PassageProfiles } from '../features/passage-profile.ts';
import { analyseQuestion, type AnalysedQuestion } from '../question.ts';
import { modelShape, predict, predictTable } from '../heads/model.ts';
import type { Reading } from '../retriever.ts';
import { encodeUnits } from './encode-units.ts';
import { quotedPart } from './long-rows.ts';
import { type ReadSentence, sentencesOf } from './read-units.ts';
import { answerFeatures, unitFeatures, unitInContext } from './unit-features.ts';

const fileShape = z.object({
  version: z.literal(2),
  /** What was learnt from, and what was measured on other folders; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  /** Whether a unit is what the question asks for, by its features alone. */
  unit: modelShape,
  /** The same, where the joint encoder read some of the units. */
  encodedUnit: modelShape,
  /** Whether what was read has an answer at all. */
  found: modelShape,
});

/** Trained models of the reader (`models/reader.json`). */
export type ReaderWeights = z.infer<typeof fileShape>;

/** The weights of the reader cannot be used. */
class ReaderWeightsError extends HoptrailError {
  readonly code = 'reader-weights';
}

/** Reads the weights from a file such as `models/reader.json`. @throws ReaderWeightsError */
export function readReaderWeights(file: string): ReaderWeights {
  const advice = 'Reinstall the extension, or rebuild the file with lab/heads/train-units.ts.';
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
  if (parsed.success) return parsed.data;
  throw new ReaderWeightsError(
    `The reader's weights in ${file} do not have the expected shape: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, advice },
  );
}

interface ReaderPorts {
  index: PassageIndex;
  embedder: Embedder;
  profiles: PassageProfiles;
  /** Reads question and passage together; undefined: features alone choose. */
  encoder?: JointEncoder | undefined;
  /** Told why the encoder did not read. */
  unread?: (error: unknown) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/**
 * The reader of Beam Retrieval (arXiv 2308.08973, §3.4) without spans: the units of some passages by how likely each
 * answers the question, and whether any does. Passages are read in the order given; those of a chain come first.
 *
 * 1. Analyse the question, get the passages. 2. Cut them into units. 3. Embed the units. 4. Rank them by features.
 * 5. Let the encoder read the passages of the best ones. 6. Rank again by features and what the encoder said.
 */
export async function readPassages(
  ports: ReaderPorts,
  weights: ReaderWeights,
  text: string,
  passageIds: readonly string[],
  signal?: AbortSignal,
): Promise<Reading> {
  const { index, embedder, profiles, encoder, unread, now } = ports;
  const ids = [...new Set(passageIds)];
  const [present, question] = await Promise.all([index.get(ids), analyseQuestion(text, index, embedder, signal)]);
  // A passage is read as it was found, even where its file has changed since, which gives its passages other ids.
  const known = new Map(present.map((passage) => [passage.id, passage]));
  const passages = ids.flatMap((id) => known.get(id) ?? profiles.lastSeen(id) ?? []).map((each) => profiles.of(each));
  await yieldToOthers(signal);
  const units = await embedSentences(question, sentencesOf(passages), embedder, signal);
  const worth = rankUnits(question, units, weights).logits;
  const encoding = encoder ? encodeUnits(text, units, worth, forOneStage(encoder, now), signal) : Promise.resolve([]);
  const encoded = await orUnread(encoding, [], unread, signal);
  const read = units.map((unit, i) => (encoded[i] ? { ...unit, encoded: encoded[i] } : unit));
  return interpret(question, passages, read, weights);
}

/** Characters of the units that are embedded, 0.4 s of it on two cores: beyond them words and places decide alone. */
const MOST_EMBEDDED = 6_000;
/** Characters of one unit that count: a network reads no more of it. */
const MOST_OF_ONE = 2_000;

/** Units with their vectors, in what has to be read before them; of too many those that share the rarest words. */
export async function embedSentences(
  question: AnalysedQuestion,
  sentences: readonly ReadSentence[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<ReadSentence[]> {
  const worth = sentences.map(({ sentence }) => sentenceCoverage(question, sentence));
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

/** The reading of units: everything after embeddings and encoder. */
export function interpret(
  question: AnalysedQuestion,
  passages: readonly PassageProfile[],
  units: readonly ReadSentence[],
  weights: ReaderWeights,
): Reading {
  if (units.length === 0) return { sentences: [], answerability: 0 };
  const ranking = rankUnits(question, units, weights);
  const order = [...units.keys()].sort((a, b) => (ranking.logits[b] ?? 0) - (ranking.logits[a] ?? 0) || a - b);
  return {
    sentences: order.flatMap((i) => {
      const unit = units[i];
      if (!unit) return [];
      const { passage } = unit.profile;
      const part = quotedPart(question, unit);
      const text = passage.text.slice(part.start, part.end);
      return [{ ...part, passageId: passage.id, text, score: sigmoid(ranking.logits[i] ?? -Infinity) }];
    }),
    answerability: sigmoid(predict(weights.found, answerFeatures(question, passages, ranking))),
  };
}

/** Units as features, with the logit that each is what the question asks for. */
interface UnitRanking {
  table: FeatureTable;
  logits: number[];
}

/** Another model ranks where the joint encoder read some of the units. */
export function rankUnits(
  question: AnalysedQuestion,
  units: readonly ReadSentence[],
  { unit, encodedUnit }: Pick<ReaderWeights, 'unit' | 'encodedUnit'>,
): UnitRanking {
  const table = unitFeatures(question, units);
  return { table, logits: predictTable(units.some(({ encoded }) => encoded) ? encodedUnit : unit, table) };
}
