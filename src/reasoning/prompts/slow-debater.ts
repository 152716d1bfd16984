import type { ChatMessage } from '../../llm/language-model.ts';
import { debateMessages, PLAN_FORM, type DebateMatter, type ReadTurn } from './debate-turn.ts';

/** Level 2, slow: weighs the whole history, so that the plan does not swing back and forth (BELLE, arXiv 2505.11811, §3.3). */
export const slowDebaterPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(matter, turns, `You weigh everything that was said, all rounds. Change the plan that you favoured before only for a new and good argument. Say the plan that is best overall. ${PLAN_FORM}`);
