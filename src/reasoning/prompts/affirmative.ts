import type { ChatMessage } from '../../llm/language-model.ts';
import { debateMessages, PLAN_FORM, type DebateMatter, type ReadTurn } from './debate-turn.ts';

/** Level 1, for: proposes a plan, and later defends or betters it (BELLE, arXiv 2505.11811, §3.3). */
export const affirmativePrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(matter, turns, `You speak for a plan. ${turns.length === 0 ? 'Propose the cheapest plan that will find the answer.' : 'Answer the objections: keep your plan if they do not convince you, else better it.'} ${PLAN_FORM}`);
