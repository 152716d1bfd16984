import type { ChatMessage } from '../../llm/language-model.ts';
import { debateMessages, type DebateMatter, type ReadTurn } from './debate-turn.ts';

const FORM = 'Reply with JSON: {"reason": "<at most 25 words>", "plan": ["<operator>", ...], "settled": true or false}';

/** The judge after a round, hard mode: ends the debate when a plan stands (BELLE, arXiv 2505.11811, §3.3). */
export const judgePrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(matter, turns, `You are the judge. Is there a plan that most speakers now agree on and that will find the answer? Then it is settled. ${FORM}`);

/** The judge when the rounds have run out, soft mode: extracts the plan from what one debater (the slow one) has said over time. */
export const judgeSoftPrompt = (matter: DebateMatter, turns: readonly ReadTurn[]): ChatMessage[] =>
  debateMessages(matter, turns, `You are the judge and the debate is over. Take from these turns the plan that they lead to. It is settled. ${FORM}`);
