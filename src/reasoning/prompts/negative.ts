import type { ChatMessage } from '../../llm/language-model.ts';
import type { ResearchOptions } from '../research-options.ts';
import { debateMessages, PLAN_FORM, type DebateMatter, type ReadTurn } from './debate-turn.ts';

/** How hard the negative debater opposes, weakest first (BELLE's "tit for tat" levels, arXiv 2505.11811, §4; the wording is ours). */
const OPPOSITION: Readonly<Record<ResearchOptions['strength'], string>> = {
  L0: 'Look for a real mistake in the proposed plan. If there is none, agree and repeat it.',
  L1: 'Name the weakest point of the proposed plan. Propose another only if that point would cost the answer.',
  L2: 'Argue against the proposed plan: say what it would miss or waste, and propose the plan that you would rather see.',
  L3: 'Oppose the proposed plan in every respect, whatever its merits, and propose a different one.',
};

/** Level 1, against. */
export const negativePrompt = (matter: DebateMatter, turns: readonly ReadTurn[], strength: ResearchOptions['strength']): ChatMessage[] =>
  debateMessages(matter, turns, `You speak against it. ${OPPOSITION[strength]} ${PLAN_FORM}`);
