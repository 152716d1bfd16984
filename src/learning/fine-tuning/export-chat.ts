import {
  answerPrompt,
  type ChatMessage,
  critiqueNodePrompt,
  decomposePrompt,
  nextSubQuestionPrompt,
  nextThoughtPrompt,
  type PromptPassage,
} from '#research';
import { poisonOfRecord } from '../experience/find-poison.ts';
import type {
  DecompositionRecord,
  ExperienceKind,
  ExperienceRecord,
  ReadingRecord,
} from '../experience/experience-record.ts';
import { hashShare, isQuestionHeldOut, wholeOf } from '../gate.ts';

/** α, β and γ of RISE's loss αL_d + βL_r + γL_c (He et al. 2025); 1 each by default. */
export type LossWeights = Record<ExperienceKind, number>;
export const EQUAL_WEIGHTS: LossWeights = { decomposition: 1, reading: 1, critique: 1 };

export interface ChatExport {
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
  /** Ids of all records in either part; those that answer no prompt of the runs are in neither. */
  ids: string[];
  /** Records that must not teach (see find-poison.ts), left out. */
  refused: number;
}

export interface ChatExportOptions {
  weights?: LossWeights;
  /** Share of questions held out, 0..1. */
  heldOut?: number;
  /** Another split for another seed. */
  seed?: number;
}

/**
 * Experience as chat-format JSON lines: what records tell of the runs' own prompts, and nothing else (see {@link
 * chatOf}). Held out are whole questions, by hash: no record of a held-out question is trained on. Chat fine-tuning
 * takes no weights per example, so a loss weight w becomes sampling: every record of the kind is written ⌊w⌋ times, and
 * once more with probability w − ⌊w⌋, decided by its hash. The same records and options give the same bytes.
 */
export function exportChat(
  records: readonly ExperienceRecord[],
  { weights = EQUAL_WEIGHTS, heldOut = 0.2, seed = 1 }: ChatExportOptions = {},
): ChatExport {
  const sound = records.filter((record) => poisonOfRecord(record) === undefined);
  const ordered = sound
    .flatMap((record) => {
      const line = chatLine(record);
      return line === undefined
        ? []
        : [{ record, line, held: isQuestionHeldOut(record.runQuestion, { seed, share: heldOut }) }];
    })
    .sort(
      ({ record: a }, { record: b }) =>
        hashShare(`${seed} order ${a.id}`) - hashShare(`${seed} order ${b.id}`) || (a.id < b.id ? -1 : 1),
    );
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
  const kept = ordered.filter(({ held }) => held);
  return {
    training: training.join(''),
    heldOut: kept.map(({ line }) => line).join(''),
    heldOutQuestions: kept.map(({ record }) => wholeOf({ question: record.runQuestion })),
    counts,
    heldOutCount: kept.length,
    ids: ordered.map(({ record }) => record.id),
    refused: records.length - sound.length,
  };
}

/** A line for a record that answers a prompt of the runs. */
const chatLine = (record: ExperienceRecord): string | undefined => {
  const messages = chatOf(record);
  return messages && `${JSON.stringify({ messages })}\n`;
};

/**
 * A record as a conversation that runs have: one of their prompts, and the reply that ended well. undefined for what
 * answers no prompt, or one that the record does not tell: it is not exported. These differ from what was sent:
 * - splitting a question is shown without examples of earlier runs (D_d);
 * - passages are whole where a small window cut them, and those of a sub-question are numbered from 1 (D_r);
 * - numbers behind what was found so far count only passages that were read (D_d in the place of a rejected one, D_c).
 */
export function chatOf(record: ExperienceRecord): ChatMessage[] | undefined {
  switch (record.kind) {
    case 'decomposition':
      return decompositionChat(record);
    case 'reading':
      return readingChat(record);
    case 'critique': {
      const { runQuestion: question, node, shown, reason, verdict } = record;
      return (
        shown &&
        replied(
          critiqueNodePrompt({
            question,
            known: shown.known,
            subQuestion: node.question,
            answer: node.answer,
            evidence: shown.quote,
          }),
          JSON.stringify({ reason, verdict }),
        )
      );
    }
  }
}

function decompositionChat({
  runQuestion,
  plan,
  known,
  rejected,
  next,
}: DecompositionRecord): ChatMessage[] | undefined {
  if (plan) return replied(decomposePrompt(runQuestion), JSON.stringify({ questions: plan }));
  return known && next !== null
    ? replied(nextSubQuestionPrompt(runQuestion, known, rejected), JSON.stringify({ question: next }))
    : undefined;
}

function readingChat({
  question,
  passages: recorded,
  answer,
  passageIds,
  form,
  reply,
}: ReadingRecord): ChatMessage[] | undefined {
  const passages = recorded.map(({ path, title, text }, i): PromptPassage => ({ number: i + 1, path, title, text }));
  const marks = recorded.flatMap((passage, i) => (passageIds.includes(passage.id) ? [`[${i + 1}]`] : [])).join(' ');
  switch (form) {
    case undefined:
      return undefined;
    case 'brief':
      return replied(answerPrompt({ question, passages, known: [], style: form }), `Answer: ${answer} ${marks}`);
    case 'full':
    case 'outline':
      return reply === undefined
        ? undefined
        : replied(answerPrompt({ question, passages, known: [], style: form }), reply.trim());
    case 'thought':
      return reply === undefined
        ? undefined
        : replied(nextThoughtPrompt({ question, passages, known: [], thoughts: [] }), reply.trim());
  }
}

const replied = (prompt: readonly ChatMessage[], content: string): ChatMessage[] => [
  ...prompt,
  { role: 'assistant', content },
];
