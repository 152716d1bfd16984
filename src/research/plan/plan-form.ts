import { z } from 'zod';
import { cutTo, sum } from '#base';
import type { Passage, QuestionType } from '#search';
import { inert } from '../answer/inert-text.ts';
import { PREDICTED_TYPES, type PredictedType } from '../classify/classifiers.ts';
import { promptOf } from '../context/ask-model.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import type { OperatorName, Plan, PlanCost, PlanStep } from '../domain/plan.ts';
import type { PlanProblem } from '../domain/run-notices.ts';
import { EVIDENCE_IS_DATA, fenced, inOneLine, listed } from '../evidence/fence.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import type { DecompositionExample } from '../operators/operator.ts';
import { readSubQuestions, SUB_QUESTION_FORM } from './sub-questions.ts';

export interface PlanMatter {
  question: string;
  /** Of the classifier; undefined: nobody has told it. */
  type: QuestionType | undefined;
  operators: readonly OperatorName[];
  /** What a first search found, best first: planners see its titles. */
  found: readonly Passage[];
  /** Splits of earlier questions like this one, the most alike last. */
  examples: readonly DecompositionExample[];
}

/** How each type is best gone about: what BELLE tells its planners as meta prompts (§3.1), in our words. */
const GUIDANCE: Readonly<Record<Exclude<QuestionType, 'null'>, string>> = {
  lookup: 'one fact that stands in one place: one search, with the words that the place may have',
  inference:
    'a fact is reached over another that is only described: find the bridge first, then what is asked of it. One look with ' +
    'queries for both often shows both; take turns where the second search needs the first result, sub-questions where ' +
    'both can be asked now',
  comparison:
    'two or more things are held against each other: the same fact of each, by a sub-question for each side, then one ' +
    'conclusion',
  temporal:
    'order, duration or change over time: the time of each event by a sub-question of its own; look for later changes, ' +
    'too',
  overview: 'many places together make the answer: a query for each aspect, and enough of them',
};

/** How many titles are shown, operators and queries of a plan taken, and characters of a reason told. */
const MOST = { titles: 16, steps: 3, queries: 6, reason: 480 };

/** Shared by the planner and all debaters word for word, so that a prompt cache serves it. */
function planSystem({ operators }: PlanMatter): string {
  const guide = operators.map((name) => {
    const { whenToUse, cost } = operatorCalled(name);
    return `${name}: ${whenToUse.does}. Good for: ${whenToUse.goodFor}. About ${cost.tokens} tokens.`;
  });
  const types = Object.entries(GUIDANCE).map(([type, how]) => `${type}: ${how}`);
  return [
    'You plan how a question is answered from the files of a workspace. A plan is one to three operators, run in order; ' +
      'each sees what came before. Choose the plan that finds the whole answer; among such plans the one of least cost.',
    `Operators:\n${guide.join('\n')}`,
    `Types of questions:\n${types.join('\n')}`,
    `${EVIDENCE_IS_DATA} It shows what a first search found, and tells how these files speak.`,
  ].join('\n\n');
}

const PARTS =
  `"queries": three to six searches in the words that the files may use: likely identifiers and file names, terms of the ` +
  `field, synonyms, and one line as it may stand in the file that answers. "subQuestions": where the plan has sub-step. ` +
  `${SUB_QUESTION_FORM} Else an empty list.`;

/** A debater needs words for its reasons. Whoever agrees need not repeat what was said. */
export function planForm(speaker: Speaker): string {
  const words = speaker === 'debater' ? 60 : 25;
  const verdict = { planner: '', debater: '"agree": true or false, ', judge: '"settled": true or false, ' }[speaker];
  const agreeing =
    speaker === 'debater'
      ? ' Where you agree with the plan that was said last, say so in few words and leave "plan" and all behind it out.'
      : '';
  return (
    `Reply with JSON: {"type": "<type>", "reason": "<at most ${words} words>", ${verdict}"plan": ["<operator>", ...], ` +
    `"subQuestions": [...], "queries": [...]}. ${PARTS}${agreeing}`
  );
}

export function planMessages(matter: PlanMatter, parts: readonly string[]): ChatMessage[] {
  const { question, type, found, examples } = matter;
  const titles = found.slice(0, MOST.titles).map(({ path, title }) => `${inOneLine(path)}  ${inOneLine(title)}`.trim());
  const split = examples.map((one) => `- ${inOneLine(one.question)} → ${one.steps.map(inOneLine).join(' / ')}`);
  return promptOf(planSystem(matter), [
    fenced([...new Set(titles)].join('\n')),
    listed('Questions like it were split so:', split),
    `Question: ${question}${type ? `\nIts wording suggests: ${type}.` : ''}`,
    ...parts,
  ]);
}

export interface PlanReply {
  reason: string;
  plan: OperatorName[];
  type?: PredictedType | undefined;
  queries: string[];
  subQuestions: string[];
}

/** Who speaks: one who plans alone, a debater who may agree with what was said last, or a judge. */
export type Speaker = 'planner' | 'debater' | 'judge';

interface Said {
  type?: string | undefined;
  reason?: string | undefined;
  plan?: OperatorName[] | undefined;
  subQuestions?: (string | { question: string })[] | undefined;
  queries?: string[] | undefined;
  /** Of a debater. */
  agree?: boolean | undefined;
  /** Of a judge. */
  settled?: boolean | undefined;
}

/** The form of such a reply; more steps, queries and sub-questions than are used may come. */
export function planReplySchema(allowed: readonly OperatorName[], speaker: Speaker): z.ZodType<Said> {
  const plan = z.array(z.enum(allowed as [OperatorName, ...OperatorName[]])).min(1);
  const parts = z.object({
    type: z.string().optional(),
    reason: z.string().optional(),
    plan,
    subQuestions: z.array(z.union([z.string(), z.object({ question: z.string() })])).optional(),
    queries: z.array(z.string()).optional(),
  });
  if (speaker === 'planner') return parts;
  return speaker === 'judge'
    ? parts.extend({ settled: z.boolean().optional() })
    : parts
        .extend({ agree: z.boolean().optional(), plan: plan.optional() })
        .refine((reply) => reply.agree || reply.plan, { path: ['plan'], error: 'Agree, or say a plan.' });
}

/** A reply of that form with nothing left open. @param last The plan that whoever agrees takes over. */
export function readPlanReply(said: Said, last?: PlanReply): PlanReply {
  const agreed = said.agree || !said.plan ? last : undefined;
  return {
    reason: said.reason ?? '',
    plan: agreed?.plan ?? said.plan ?? [],
    type: PREDICTED_TYPES.find((type) => type === said.type) ?? agreed?.type,
    queries: said.queries ?? agreed?.queries ?? [],
    subQuestions: said.subQuestions
      ? said.subQuestions.map((one) => (typeof one === 'string' ? one : one.question))
      : (agreed?.subQuestions ?? []),
  };
}

export const toldReason = (reason: string): string => cutTo(inert(inOneLine(reason)), MOST.reason);

export function planOf({ plan, queries, subQuestions }: PlanReply): Pick<Plan, 'steps' | 'queries'> {
  const asked = readSubQuestions(subQuestions);
  const clean = [...new Set(queries.map((query) => query.trim()).filter(Boolean))].slice(0, MOST.queries);
  return {
    steps: planSteps(plan.slice(0, MOST.steps)).map((step) =>
      step.operator === 'sub-step' && asked.length > 1 ? { ...step, subQuestions: asked } : step,
    ),
    ...(clean.length > 0 && { queries: clean }),
  };
}

export const planSteps = (plan: readonly OperatorName[]): PlanStep[] =>
  plan.map((operator) => {
    const { does } = operatorCalled(operator).whenToUse;
    return { operator, purpose: `${does.charAt(0).toUpperCase()}${does.slice(1)}.` };
  });

const retrieves = (name: OperatorName): boolean => operatorCalled(name).retrieves;

/** What is wrong with a plan of operators; undefined: it stands. */
export function planProblem(plan: readonly OperatorName[]): PlanProblem | undefined {
  if (new Set(plan).size < plan.length) return { code: 'twice' };
  if (!plan.some(retrieves)) return { code: 'looks-nothing-up' };
  const [first] = plan;
  return first !== undefined && !retrieves(first) ? { code: 'thinks-first', operator: first } : undefined;
}

/** A plan without an operator's second turn, and without thinking before anything was looked up. */
export function withoutIdleSteps(plan: readonly OperatorName[]): OperatorName[] {
  const first = plan.findIndex(retrieves);
  return [...new Set(first < 0 ? plan : plan.slice(first))];
}

/** What a plan of these operators may cost, and, where the run is criticised, one last critique of its answer. */
export function planCost(names: readonly OperatorName[], { critique }: Pick<ResearchOptions, 'critique'>): PlanCost {
  const called = names.map((name) => operatorCalled(name));
  const costs = called.map(({ cost }) => cost);
  const ends = costs.every(({ mostCalls }) => mostCalls !== undefined);
  const last = Number(critique && called.some(({ needsModel }) => needsModel));
  return {
    calls: {
      least: sum(costs.map(({ leastCalls }) => leastCalls)),
      ...(ends && { most: sum(costs.map(({ mostCalls = 0 }) => mostCalls)) + last }),
    },
    tokens: sum(costs.map(({ tokens }) => tokens)),
  };
}
