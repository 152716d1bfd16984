import { adaptiveStep } from './adaptive-step.ts';
import { chainOfThought } from './chain-of-thought.ts';
import { extractive } from './extractive.ts';
import { iterativeStep } from './iterative-step.ts';
import type { Operator } from './operator.ts';
import { selfCritical } from './self-critical.ts';
import { singleStep } from './single-step.ts';
import { subStep } from './sub-step.ts';

/** All operators: the one place where each is named. */
const REGISTERED = [
  chainOfThought,
  singleStep,
  iterativeStep,
  subStep,
  adaptiveStep,
  selfCritical,
  extractive,
] as const;

export type OperatorName = (typeof REGISTERED)[number]['name'];

/** Operators by name, in the order in which lists show them. */
export type Operators = ReadonlyMap<string, Operator>;

export const operatorsByName = (operators: readonly Operator[]): Operators =>
  new Map(operators.map((operator) => [operator.name, operator]));

/** Those that Hoptrail has. */
export const operators: Operators = operatorsByName(REGISTERED);

/** Their names: what can be asked for. */
export const OPERATORS: readonly OperatorName[] = REGISTERED.map(({ name }) => name);

/** @throws RangeError for a name that no operator has */
export function operatorCalled(name: string, among = operators): Operator {
  const operator = among.get(name);
  if (!operator) throw new RangeError(`There is no operator called ${name}.`);
  return operator;
}
