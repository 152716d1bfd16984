import type { OperatorName } from '../domain/plan.ts';
import { adaptiveStep } from './adaptive-step.ts';
import { chainOfThought } from './chain-of-thought.ts';
import { extractive } from './extractive.ts';
import { iterativeStep } from './iterative-step.ts';
import type { Operator } from './operator.ts';
import { singleStep } from './single-step.ts';
import { subStep } from './sub-step.ts';

/** Every operator by its name. */
export const operators: Readonly<Record<OperatorName, Operator>> = {
  'chain-of-thought': chainOfThought,
  'single-step': singleStep,
  'iterative-step': iterativeStep,
  'sub-step': subStep,
  'adaptive-step': adaptiveStep,
  extractive,
};
