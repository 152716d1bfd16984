import type { ChatMessage } from '../../llm/language-model.ts';
import type { OperatorName } from '../../model/plan.ts';
import { debateMessages, PLAN_FORM, type DebateMatter } from './debate-turn.ts';

/** One chance to mend a plan that makes no sense. */
export const repairPlanPrompt = (matter: DebateMatter, plan: readonly OperatorName[], problem: string): ChatMessage[] =>
  debateMessages(matter, [], `This plan cannot be used: ${plan.join(', ') || '(none)'}. ${problem} Give a plan that can. ${PLAN_FORM}`);
