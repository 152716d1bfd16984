import { OPERATORS, type OperatorName } from '../domain/plan.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import { adaptiveStep } from './adaptive-step.ts';
import { chainOfThought } from './chain-of-thought.ts';
import { extractive } from './extractive.ts';
import { iterativeStep } from './iterative-step.ts';
import type { Operator, Operators } from './operator.ts';
import { selfCritical } from './self-critical.ts';
import { singleStep } from './single-step.ts';
import { subStep } from './sub-step.ts';
import { critiqueAnswerPrompt, critiqueNodePrompt } from './critique.ts';
import { answerPrompt } from './prompts/answer.ts';
import { nextSubQuestionPrompt } from './prompts/next-step.ts';

const REGISTERED: { readonly [Name in OperatorName]: Operator<Name> } = {
  'chain-of-thought': chainOfThought,
  'single-step': singleStep,
  'iterative-step': iterativeStep,
  'sub-step': subStep,
  'adaptive-step': adaptiveStep,
  'self-critical': selfCritical,
  extractive,
};

/** Those that Hoptrail has. */
export const operators: Operators = new Map(OPERATORS.map((name) => [name, REGISTERED[name]]));

/** @throws RangeError for a name that no operator has */
export function operatorCalled(name: string, among = operators): Operator {
  const operator = among.get(name);
  if (!operator) throw new RangeError(`There is no operator called ${name}.`);
  return operator;
}

const nothing = { question: '', passages: [], known: [] };

/** Every prompt from which a run may teach, with nothing put in. */
const EMPTY: readonly ChatMessage[] = [
  ...[...operators.values()].flatMap(({ prompts }) => prompts),
  ...(['brief', 'full', 'outline'] as const).flatMap((style) => answerPrompt({ ...nothing, style })),
  ...nextSubQuestionPrompt('', [], []),
  ...critiqueNodePrompt({ ...nothing, subQuestion: '', answer: '', evidence: '' }),
  ...critiqueAnswerPrompt('', '', []),
];
const OWN = new Set(EMPTY.flatMap(({ content }) => content.split('\n')));

/** The lines of a prompt that Hoptrail has not written itself: what came from people, files and models. */
export const foreignLines = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap(({ content }) => content.split('\n')).filter((line) => !OWN.has(line));
