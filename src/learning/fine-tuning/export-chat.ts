import { hashShare } from '#base';
import { asText, type ChatMessage, withoutThoughts } from '#research';
import { poisonOfRecord } from '../experience/find-poison.ts';
import { type ExperienceKind, type ExperienceRecord, showsQuestion, wordsOf } from '../experience/experience-record.ts';
import { isQuestionHeldOut, keyOf } from './gate.ts';

/** α, β and γ of RISE's loss αL_d + βL_r + γL_c (He et al. 2025); 1 each by default. */
export type LossWeights = Record<ExperienceKind, number>;
export const EQUAL_WEIGHTS: LossWeights = { decomposition: 1, reading: 1, critique: 1 };

/** Each record is written as often as its kind weighs, and a service is paid for each line. */
const MOST_WEIGHT = 10;

/** Three weights as people write them, as in `1,1,0.5`; undefined where they are none, too large, or all nothing. */
export function readLossWeights(text: string): LossWeights | undefined {
  const [decomposition = NaN, reading = NaN, critique = NaN, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? NaN : Number(part)));
  const all = [decomposition, reading, critique];
  const isUsable = more.length === 0 && all.every((weight) => weight >= 0 && weight <= MOST_WEIGHT);
  return isUsable && all.some((weight) => weight > 0) ? { decomposition, reading, critique } : undefined;
}

interface ChatExport {
  /** One JSON object a line, `{"messages": […]}`, as the fine-tuning API takes it. */
  training: string;
  /** The same form, each record once: never trained on. */
  heldOut: string;
  /**
   * For each line of `heldOut` the question that it belongs to, in small letters: lines of one question are compared as
   * one.
   */
  heldOutQuestions: string[];
  /** Lines of the training part by kind, copies included. */
  counts: LossWeights;
  heldOutCount: number;
  /** Ids of all records in either part; those in neither answer no prompt of the runs, or show a held-out question. */
  ids: string[];
  /** Records that must not teach (see find-poison.ts), left out. */
  refused: number;
}

interface ChatExportOptions {
  weights?: LossWeights;
  /** Share of questions held out, 0..1. */
  heldOut?: number;
  /** Another split for another seed. */
  seed?: number;
}

/**
 * Experience as chat-format JSON lines: the runs' own prompts as they were sent (see {@link chatOf}). Held out are
 * whole questions, by hash: no record of a held-out question is trained on, nor a call that shows one as an example.
 * Chat fine-tuning takes no weights per example, so a loss weight w becomes sampling: every record of the kind is
 * written ⌊w⌋ times, and once more with probability w − ⌊w⌋, decided by its hash. The same records and options give the
 * same bytes.
 */
export function exportChat(
  records: readonly ExperienceRecord[],
  { weights = EQUAL_WEIGHTS, heldOut = 0.2, seed = 1 }: ChatExportOptions = {},
): ChatExport {
  const sound = records.filter((record) => poisonOfRecord(record) === undefined);
  const lines = sound
    .flatMap((record) => {
      const messages = chatOf(record);
      const held = isQuestionHeldOut(record.runQuestion, { seed, share: heldOut });
      return messages ? [{ record, line: `${JSON.stringify({ messages })}\n`, held }] : [];
    })
    .sort(
      ({ record: a }, { record: b }) =>
        hashShare(`${seed} order ${a.id}`) - hashShare(`${seed} order ${b.id}`) || (a.id < b.id ? -1 : 1),
    );
  const kept = lines.filter(({ held }) => held);
  const keptQuestions = new Set(kept.map(({ record }) => wordsOf(record.runQuestion)));
  const ordered = lines.filter(({ record, held }) => held || !showsQuestion(record, keptQuestions));
  const counts: LossWeights = { decomposition: 0, reading: 0, critique: 0 };
  const training = ordered
    .filter(({ held }) => !held)
    .flatMap(({ record, line }) => {
      const weight = weights[record.kind];
      const copies =
        Math.floor(weight) + (hashShare(`${seed} copy ${record.id}`) < weight - Math.floor(weight) ? 1 : 0);
      counts[record.kind] += copies;
      return Array.from({ length: copies }, () => line);
    });
  return {
    training: training.join(''),
    heldOut: kept.map(({ line }) => line).join(''),
    heldOutQuestions: kept.map(({ record }) => keyOf(record.runQuestion)),
    counts,
    heldOutCount: kept.length,
    ids: ordered.map(({ record }) => record.id),
    refused: records.length - sound.length,
  };
}

/**
 * A record as a conversation that a run had: the prompt as it was sent, tool calls and results in words, and the reply
 * that ended well, without the model's thoughts. undefined for what answers no prompt, or was thought alone.
 */
export function chatOf({ sent }: ExperienceRecord): ChatMessage[] | undefined {
  const content = withoutThoughts(sent?.reply ?? '', 'removed').trim();
  if (!sent || content === '') return undefined;
  return [...asText(sent.messages, [], true), { role: 'assistant', content }];
}
