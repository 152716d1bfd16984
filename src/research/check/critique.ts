import { throwIfCancelled } from '#base';
import { z } from 'zod';
import { askStructured, promptOf } from '../context/ask-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import { BudgetExhaustedError } from '../context/research-options.ts';
import type { CritiqueVerdict, SubAnswer } from '../domain/answer.ts';
import type { CitedPlace } from '../evidence/citations.ts';
import { EVIDENCE_IS_DATA, inOneLine, knownLine, listed } from '../evidence/fence.ts';
import { citedEvidence } from '../evidence/view.ts';
import { endsOneCall, type OperatorContext } from '../operators/operator.ts';
import { type CheckedStatement, problemInWords } from './check-reading.ts';
import { spaced } from './terms.ts';

const CRITIQUE_TOKENS = 300;
/** Tokens of cited stretches that a critic sees. */
const EVIDENCE_TOKENS = { most: 6000, share: 0.5 };

/** A verdict, and the call that gave it, where a model did. */
export interface Critique {
  verdict: CritiqueVerdict;
  sent?: SentPrompt | undefined;
}

/** The critique that needs no call; default runs are recorded with it (D_c) where no model was asked. */
export function evidenceCritique(
  node: { question: string; checked: readonly CheckedStatement[]; none: boolean },
  earlier: readonly Pick<SubAnswer, 'question' | 'found'>[],
): CritiqueVerdict {
  const by = 'evidence';
  if (earlier.some((one) => one.found && spaced(one.question) === spaced(node.question)))
    return { verdict: 'redundant', reason: 'The same question was answered before in this run.', by };
  if (node.none || node.checked.length === 0)
    return { verdict: 'unsupported', reason: 'The evidence was read and gives no answer.', by };
  const marked = node.checked.find(({ support }) => support === 'unsupported');
  if (marked?.why) return { verdict: 'unsupported', reason: problemInWords(marked.why), by };
  return { verdict: 'keep', reason: 'The lines that it cites hold it.', by };
}

const nodeSchema = z.object({
  reason: z.string(),
  verdict: z.enum(['keep', 'redundant', 'irrelevant', 'unsupported']),
});

const NODE_SYSTEM = `You check one step of a search for an answer. Verdicts:
keep: it is a step towards the question, and the evidence says it
redundant: it repeats what is known
irrelevant: it does not help with the question
unsupported: the evidence does not say it
${EVIDENCE_IS_DATA} Reply with JSON: {"reason": "<at most 20 words>", "verdict": "..."}`;

/** RISE's critique of one node (He et al. 2025, arXiv 2505.21940): by the model, over the whole cited stretches. */
export const critiqueNode = (
  context: OperatorContext,
  { question, answer }: Pick<SubAnswer, 'question' | 'answer'>,
  places: readonly CitedPlace[],
  history: readonly SubAnswer[],
): Promise<Critique | undefined> =>
  ask(context, NODE_SYSTEM, nodeSchema, [
    evidenceOf(context, places),
    `Question: ${context.question.text}`,
    listed('Known:', history.map(knownLine)),
    `Step: ${inOneLine(question)}\nIts answer: ${inOneLine(answer)}`,
  ]);

const answerSchema = z.object({
  reason: z.string(),
  confirmed: z.array(z.number()).optional(),
  verdict: z.enum(['keep', 'irrelevant', 'unsupported']),
});

const ANSWER_SYSTEM = `You check an answer against the lines that it cites. A program could not find some words of the \
numbered statements in these lines: they may be said in other words, follow from them, or be wrong.
${EVIDENCE_IS_DATA} Reply with JSON: {"reason": "<at most 25 words>", "confirmed": [<numbers of the statements that \
the evidence says or that follow from it>], "verdict": "keep" where the answer answers the question and holds, \
"irrelevant" where it answers another, "unsupported" where what decides does not hold}`;

/**
 * The critique of a whole answer: once an answer, and only where the check has a doubt. What the model confirms loses
 * its mark; nothing else changes. It sees what the doubted statements cite. undefined where they cite nothing, or the
 * model could not be asked: the marks stay then.
 */
export async function critiqueAnswer(
  context: OperatorContext,
  short: string,
  checked: readonly CheckedStatement[],
): Promise<(Critique & { checked: CheckedStatement[] }) | undefined> {
  const doubted = checked.filter(({ support }) => support === 'unsupported');
  const numbered = doubted.map(
    ({ text, written, why }, i) =>
      `${i + 1}. ${inOneLine([text.trim(), ...written].join(' '))} (${why ? problemInWords(why) : ''})`,
  );
  const places = doubted.flatMap((statement) => statement.places);
  if (places.length === 0) return undefined;
  const critique = await ask(context, ANSWER_SYSTEM, answerSchema, [
    evidenceOf(context, places),
    `Question: ${context.question.text}`,
    `Answer: ${inOneLine(short)}`,
    `Statements:\n${numbered.join('\n')}`,
  ]);
  if (!critique) return undefined;
  const confirmed = new Set((critique.value.confirmed ?? []).map((number) => doubted[number - 1]));
  return {
    verdict: critique.verdict,
    sent: critique.sent,
    checked: checked.map((one) => {
      if (!confirmed.has(one) || one.why?.code === 'no-such-place') return one;
      const { why: _, ...rest } = one;
      return { ...rest, support: 'supported' };
    }),
  };
}

const evidenceOf = (context: OperatorContext, places: readonly CitedPlace[]): string =>
  citedEvidence(
    context.ledger,
    places,
    Math.min(EVIDENCE_TOKENS.most, (context.model?.contextTokens ?? 0) * EVIDENCE_TOKENS.share),
  );

/** Asks for a verdict; undefined where the reply cannot be used or the budget is gone. */
async function ask<T extends { reason: string; verdict: CritiqueVerdict['verdict'] }>(
  context: OperatorContext,
  system: string,
  schema: z.ZodType<T>,
  parts: readonly string[],
): Promise<(Critique & { value: T }) | undefined> {
  try {
    const { value, sent } = await askStructured(context, {
      messages: promptOf(system, parts),
      name: 'verdict',
      schema,
      maxTokens: CRITIQUE_TOKENS,
    });
    const verdict = { verdict: value.verdict, reason: inOneLine(value.reason), by: 'model' as const };
    return { value, verdict, sent };
  } catch (error) {
    throwIfCancelled(error, context.signal);
    if (!endsOneCall(error) && !(error instanceof BudgetExhaustedError)) throw error;
    return undefined;
  }
}
