import { OPERATORS, type OperatorName } from '../domain/plan.ts';
import { EVIDENCE_IS_DATA } from '../evidence/fence.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import { extractive } from './extractive.ts';
import { adaptiveStep, chainOfThought, iterativeStep, singleStep } from './one-conversation.ts';
import type { Operator } from './operator.ts';
import { selfCritical } from './self-critical.ts';
import { subStep } from './sub-step.ts';

const REGISTERED: { readonly [Name in OperatorName]: Operator<Name> } = {
  'chain-of-thought': chainOfThought,
  'single-step': singleStep,
  'iterative-step': iterativeStep,
  'sub-step': subStep,
  'adaptive-step': adaptiveStep,
  'self-critical': selfCritical,
  extractive,
};

/** By name, in the order in which lists show them. */
export const operators: ReadonlyMap<string, Operator> = new Map(OPERATORS.map((name) => [name, REGISTERED[name]]));

/** @throws RangeError for a name that no operator has */
export function operatorCalled(name: string): Operator {
  const operator = operators.get(name);
  if (!operator) throw new RangeError(`There is no operator called ${name}.`);
  return operator;
}

/** The lines of a prompt that came from people, files and models: system messages are Hoptrail's own. */
export const foreignLines = (messages: readonly ChatMessage[]): string[] =>
  messages
    .filter(({ role }) => role !== 'system')
    .flatMap(({ content }) => content.split('\n'))
    .filter((line) => line.trim() !== '' && !EVIDENCE_IS_DATA.includes(line));
