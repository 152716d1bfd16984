import type { ChatMessage } from '../../llm/language-model.ts';
import { debateMessages, PLAN_FORM, type DebateMatter, type ReadTurn } from './debate-turn.ts';

/** Level 2, fast: judges the current round only (BELLE, arXiv 2505.11811, §3.3). `turns` are this round's. */
export const fastDebaterPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(matter, turns, `You listen to this round only. Say which argument is better, and the plan that follows from it. ${PLAN_FORM}`);
