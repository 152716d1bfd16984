import type { SubAnswer } from '../../model/answer.ts';
import type { Passage } from '../../model/passage.ts';
import type { OperatorName } from '../../model/plan.ts';
import type { StepEnd } from '../../model/research-event.ts';
import type { Reading } from '../../retrieval/retriever.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { AnswerStream } from '../answer/answer-stream.ts';
import { askText } from '../ask-model.ts';
import { BudgetExhaustedError } from '../budget.ts';
import { critiqueNode } from '../critique/critique-node.ts';
import { ANSWER_TOKENS, answerPrompt, type AnswerPromptInput } from '../prompts/answer.ts';
import { readAnswer } from '../prompts/read-answer.ts';
import { showPassages } from '../prompts/show-passages.ts';
import type { OperatorContext } from './operator.ts';
import { knownAnswers } from './known-answers.ts';
import { recordedPassages } from './recorded-passages.ts';
import { restsOn } from './rests-on.ts';
import { shortenDraft } from './shorten-draft.ts';
import { evidenceOf, retrieve, type Retrieval } from './retrieve.ts';
import { withStep, type StepTask } from './with-step.ts';

export interface NodeTask extends StepTask {
  style: AnswerPromptInput['style'];
  /** Most passages to read. */
  limit: number;
  /** Sub-answers that the model sees; default: all that the run has kept. */
  known?: readonly SubAnswer[];
  /** Streams the reply as the run's answer. */
  final: boolean;
  /** What others answered, for graphs of agents. */
  seen?: readonly { by: string; answer: string }[];
}

/** One node of RISE: sub-question, retrieval, answer, verdict. */
export interface NodeOutcome {
  subAnswer: SubAnswer;
  draft?: AnswerDraft;
  /** Kept by the critique, or not criticised. */
  kept: boolean;
  retrieval: Retrieval;
  evidence: Passage[];
  reading: Reading;
}

/** Looks one question up and answers it from what was found; the sub-answer is kept when the critique keeps it. */
export async function runNode(context: OperatorContext, task: NodeTask): Promise<NodeOutcome> {
  if (context.budget.nodesLeft === 0) throw new BudgetExhaustedError(`This run has used its budget of ${context.budget.limits.nodes} steps.`, { advice: 'Ask a narrower question.' });
  context.budget.addNode();
  return withStep(context, task, async () => {
    const ids = { stepId: task.stepId, ...(task.parentStepId !== undefined && { parentStepId: task.parentStepId }) };
    const retrieval = await retrieve(context, ids, task.question);
    const evidence = evidenceOf(retrieval, task.limit);
    const history = context.subAnswers.filter((one) => one.found).map(({ question, answer }) => ({ question, answer }));
    const reading = await context.retriever.read(task.question, evidence.map((passage) => passage.id), context.signal);
    const { draft, reply, usage } = evidence.length === 0 ? nothingToRead : await readPassages(context, task, evidence);
    const subAnswer: SubAnswer = { stepId: task.stepId, question: task.question, answer: draft?.short ?? '', found: draft !== undefined, passageIds: draft ? restsOn(context, draft, evidence) : [] };
    context.emit({ type: 'sub-answer-ready', ...ids, subAnswer });
    if (context.options.critique) {
      const node = { ...subAnswer, passageIds: evidence.map((passage) => passage.id), ...(task.style !== 'outline' && { answerability: reading.answerability }) };
      subAnswer.critique = await critiqueNode(context, node, quoteFor(subAnswer, reading));
      context.emit({ type: 'critique-ready', ...ids, of: 'node', verdict: subAnswer.critique });
    }
    const kept = subAnswer.found && (subAnswer.critique === undefined || subAnswer.critique.verdict === 'keep');
    if (kept) context.keep(subAnswer);
    context.record({
      history, stepId: task.stepId, ...(task.parentStepId !== undefined && { parentStepId: task.parentStepId }), operator: task.operator, subQuestion: task.question, query: task.question,
      passages: recordedPassages(evidence), reply, answer: subAnswer.answer, passageIds: subAnswer.passageIds, verdict: subAnswer.critique ?? null, ...usage,
    });
    const outcome: StepEnd['outcome'] = kept ? 'answered' : subAnswer.found ? 'rejected' : 'nothing-found';
    return { outcome, value: { subAnswer, ...(draft && { draft }), kept, retrieval, evidence, reading } };
  });
}

const nothingToRead = { draft: undefined, reply: '', usage: { inputTokens: 0, outputTokens: 0, estimated: false } };

/** Asks the model to answer from passages. */
export async function readPassages(
  context: OperatorContext,
  task: { question: string; style: AnswerPromptInput['style']; final: boolean; known?: readonly SubAnswer[]; seen?: NodeTask['seen']; operator: OperatorName },
  evidence: readonly Passage[],
): Promise<{ draft: AnswerDraft | undefined; reply: string; usage: { inputTokens: number; outputTokens: number; estimated: boolean } }> {
  const { question, style } = task;
  const known = [...knownAnswers(task.known ?? context.subAnswers, context.ledger), ...(task.seen ?? []).map(({ by, answer }) => ({ question: `${by} answers:`, answer, numbers: [] }))];
  const maxTokens = ANSWER_TOKENS[style];
  const { shown, notice } = showPassages(context.model ?? { contextTokens: 4096 }, evidence, (id) => context.ledger.numberOf(id), { messages: answerPrompt({ question, known, style, passages: [] }), replyTokens: maxTokens });
  if (notice) context.notice('context-cut', notice);
  const stream = task.final ? new AnswerStream((text) => context.emit({ type: 'answer-delta', text })) : undefined;
  const { text, usage } = await askText(context, answerPrompt({ question, known, style, passages: shown }), { maxTokens, ...(stream && { onText: (piece: string) => stream.write(piece) }) });
  stream?.end();
  const draft = readAnswer(text);
  return { draft: draft && style !== 'outline' ? await shortenDraft(context, question, draft) : draft, reply: text, usage };
}

/** What a critic looks at: the best sentence of the passages that the answer rests on. */
function quoteFor(subAnswer: SubAnswer, reading: Reading): string {
  const own = reading.sentences.find((sentence) => subAnswer.passageIds.includes(sentence.passageId) && sentence.text.includes(subAnswer.answer));
  return (own ?? reading.sentences.find((sentence) => subAnswer.passageIds.includes(sentence.passageId)) ?? reading.sentences[0])?.text.slice(0, 400) ?? '';
}
