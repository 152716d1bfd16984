import type { ChatMessage } from '../../llm/language-model.ts';
import { answerPrompt } from '../prompts/answer.ts';
import { critiqueNodePrompt } from '../prompts/critique-node.ts';
import type { PromptPassage } from '../prompts/passage-block.ts';
import { nextStepPrompt } from './next-step-prompt.ts';
import { poisonOfRecord } from './find-poison.ts';
import type { ExperienceKind, ExperienceRecord, ReadingRecord } from './experience-record.ts';
import { hashShare, isQuestionHeldOut } from './held-out.ts';

/** α, β and γ of RISE's loss αL_d + βL_r + γL_c (He et al. 2025); 1 each by default. */
export type LossWeights = Record<ExperienceKind, number>;
export const EQUAL_WEIGHTS: LossWeights = { decomposition: 1, reading: 1, critique: 1 };

export interface ChatExport {
  /** One JSON object a line, `{"messages": […]}`, as the fine-tuning API takes it. */
  training: string;
  /** The same form, each record once: never trained on. */
  heldOut: string;
  /** Lines of the training part by kind, copies included. */
  counts: LossWeights;
  heldOutCount: number;
  /** Ids of all records in either part. */
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
 * Experience as chat-format JSON lines. Held out are whole questions, by hash: no record of a held-out question is trained on. Chat
 * fine-tuning takes no weights per example, so a loss weight w becomes sampling: every record of the kind is written ⌊w⌋ times, and
 * once more with probability w − ⌊w⌋, decided by its hash. The same records and options give the same bytes.
 */
export function exportChat(records: readonly ExperienceRecord[], { weights = EQUAL_WEIGHTS, heldOut = 0.2, seed = 1 }: ChatExportOptions = {}): ChatExport {
  const sound = records.filter((record) => poisonOfRecord(record) === undefined);
  const ordered = [...sound].sort((a, b) => (hashShare(`${seed} order ${a.id}`) - hashShare(`${seed} order ${b.id}`)) || (a.id < b.id ? -1 : 1));
  const isHeldOut = (record: ExperienceRecord): boolean => isQuestionHeldOut(record.runQuestion, { seed, share: heldOut });
  const counts: LossWeights = { decomposition: 0, reading: 0, critique: 0 };
  const training = ordered.filter((record) => !isHeldOut(record)).flatMap((record) => {
    const weight = weights[record.kind];
    const copies = Math.floor(weight) + (hashShare(`${seed} copy ${record.id}`) < weight - Math.floor(weight) ? 1 : 0);
    counts[record.kind] += copies;
    return Array.from({ length: copies }, () => chatLine(record));
  });
  const kept = ordered.filter(isHeldOut);
  return { training: training.join(''), heldOut: kept.map(chatLine).join(''), counts, heldOutCount: kept.length, ids: ordered.map((record) => record.id), refused: records.length - sound.length };
}

const chatLine = (record: ExperienceRecord): string => `${JSON.stringify({ messages: chatOf(record) })}\n`;

/** A record as the conversation that a run would have had: the prompts are the runs' own. */
export function chatOf(record: ExperienceRecord): ChatMessage[] {
  switch (record.kind) {
    case 'decomposition': return [...nextStepPrompt(record.runQuestion, record.history, record.rejected), { role: 'assistant', content: JSON.stringify({ question: record.next ?? '' }) }];
    case 'reading': return readingChat(record);
    case 'critique': {
      const { history, node, reason, verdict } = record;
      const prompt = critiqueNodePrompt({ question: record.runQuestion, known: history.map((known) => ({ ...known, numbers: [] })), subQuestion: node.question, answer: node.answer, evidence: node.evidence });
      return [...prompt, { role: 'assistant', content: JSON.stringify({ reason, verdict }) }];
    }
  }
}

function readingChat({ question, passages, answer, passageIds }: ReadingRecord): ChatMessage[] {
  const shown = passages.map(({ path, title, text }, i): PromptPassage => ({ number: i + 1, path, title, text }));
  const marks = passages.flatMap((passage, i) => (passageIds.includes(passage.id) ? [`[${i + 1}]`] : [])).join(' ');
  return [...answerPrompt({ question, passages: shown, known: [], style: 'brief' }), { role: 'assistant', content: `Answer: ${answer} ${marks}` }];
}
