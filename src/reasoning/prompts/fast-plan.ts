import type { ChatMessage } from '../../llm/language-model.ts';
import { debateMessages, PLAN_FORM, type DebateMatter } from './debate-turn.ts';

/** A plan in one call: the debate's cheap stand-in. */
export const fastPlanPrompt = (matter: DebateMatter): ChatMessage[] => debateMessages(matter, [], `Choose the cheapest plan that will find the answer. ${PLAN_FORM}`);
