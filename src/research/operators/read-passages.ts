import type { SubAnswer } from '../domain/answer.ts';
import type { ChatMessage, Completion } from '../language-model/language-model.ts';
import type { Passage } from '#search';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { AnswerStream, readAnswer } from './prompts/read-answer.ts';
import { askText } from '../context/ask-model.ts';
import { ANSWER_TOKENS, answerPrompt, type AnswerPromptInput } from './prompts/answer.ts';
import { hopsOf, type PromptPassage, showPassages } from './prompts/blocks.ts';
import { idsOf, type OperatorContext, type OperatorResult, type OperatorTask, type SeenAnswer } from './operator.ts';
import { checkDraft, knownAnswers, recordedHistory, recordedPassages, seenAnswers } from './sub-answers.ts';
import { shortenDraft } from './shorten-draft.ts';

/** The most calls of one reading: it is read, and an answer that came as a sentence is cut down. */
export const READING_CALLS = 2;

/** A prompt with as much of the passages as the model's window takes beside it; what is cut is told. */
export function promptWith(
  context: OperatorContext,
  evidence: readonly Passage[],
  prompt: (passages: readonly PromptPassage[]) => ChatMessage[],
  rest: { replyTokens: number; hops?: ReadonlySet<string> },
): ChatMessage[] {
  const { model, ledger } = context;
  const { shown, cut } = showPassages(model, evidence, (id) => ledger.numberOf(id), {
    messages: prompt([]),
    ...rest,
  });
  if (cut) context.notice({ code: 'context-cut', details: cut });
  return prompt(shown);
}

/** A reply in prose; where it is the run's answer, it is shown while it is written. */
export async function askAnswer(
  context: OperatorContext,
  messages: readonly ChatMessage[],
  { maxTokens, final }: { maxTokens: number; final: boolean },
): Promise<Completion> {
  const stream = final ? new AnswerStream((text) => context.emit({ type: 'answer-delta', text })) : undefined;
  const reply = await askText(context, messages, {
    maxTokens,
    ...(stream && { onText: (piece: string) => stream.write(piece) }),
  });
  stream?.end();
  return reply;
}

/** Asks the model to answer from passages. */
export async function readPassages(
  context: OperatorContext,
  task: {
    question: string;
    style: AnswerPromptInput['style'];
    final: boolean;
    known?: readonly SubAnswer[];
    /** What others answered, for graphs of agents. */
    seen?: readonly SeenAnswer[];
    /** Ids of the passages on the trail: the last to be cut. */
    hops?: ReadonlySet<string>;
  },
  evidence: readonly Passage[],
): Promise<{
  draft: AnswerDraft | undefined;
  reply: string;
  /** As they were sent. */
  messages: ChatMessage[];
}> {
  const { question, style } = task;
  const known = [...knownAnswers(task.known ?? context.subAnswers, context.ledger), ...seenAnswers(task.seen)];
  const maxTokens = ANSWER_TOKENS[style];
  const prompt = (passages: readonly PromptPassage[]): ChatMessage[] =>
    answerPrompt({ question, known, style, passages });
  const messages = promptWith(context, evidence, prompt, { replyTokens: maxTokens, hops: task.hops });
  const { text } = await askAnswer(context, messages, { maxTokens, final: task.final });
  const draft = readAnswer(text, question);
  return {
    draft: draft && style !== 'outline' ? await shortenDraft(context, question, draft) : draft,
    reply: text,
    messages,
  };
}

/**
 * Reads everything that an operator has gathered once for its question, and keeps the reading for learning. Whether the
 * reading was right is known only when the run has ended.
 */
export async function readWhole(
  context: OperatorContext,
  { question, final, seen, parentStepId }: OperatorTask,
  { operator, stepId, chain, evidence }: Pick<OperatorResult, 'operator' | 'stepId' | 'chain' | 'evidence'>,
  { style = 'full', known }: { style?: 'full' | 'outline'; known?: readonly SubAnswer[] } = {},
): Promise<AnswerDraft | undefined> {
  const history = recordedHistory(context.subAnswers);
  const task = { question, style, final, known, seen, hops: hopsOf([chain]) };
  const { draft, reply, messages } = await readPassages(context, task, evidence);
  context.record({
    history,
    ...idsOf({ stepId, parentStepId }),
    operator,
    subQuestion: question,
    passages: recordedPassages(evidence),
    reply,
    answer: draft?.short ?? '',
    passageIds: draft ? checkDraft(context, draft, evidence).passageIds : [],
    verdict: null,
    sent: { read: { messages, reply } },
  });
  return draft;
}
