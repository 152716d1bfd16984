import type { ChatMessage } from '../../llm/language-model.ts';
import type { OperatorName } from '../../model/plan.ts';
import type { QuestionType } from '../../model/question.ts';
import { operatorGuide } from '../debate/operator-guide.ts';

/** What every debater knows. */
export interface DebateMatter {
  question: string;
  type: QuestionType;
  operators: readonly OperatorName[];
}

/** A turn as later debaters read it. */
export interface ReadTurn {
  round: number;
  role: string;
  text: string;
  plan: readonly OperatorName[];
}

/** The beginning that all debate prompts share word for word, so that a server with a prefix cache reads it once. */
export const debateSystem = ({ operators }: DebateMatter): string =>
  `You help to plan how a question is answered from files. A plan is one to three of these operators, run in order; every call costs time and money:\n${operatorGuide(operators)}`;

/** The turns as they were spoken. */
export const spokenTurns = (turns: readonly ReadTurn[]): string => turns.map((turn) => `${turn.role} (round ${turn.round}): ${turn.text} Plan: ${turn.plan.join(', ')}`).join('\n');

/** One debate prompt: the matter, what was said, the task last. */
export const debateMessages = (matter: DebateMatter, turns: readonly ReadTurn[], task: string): ChatMessage[] => [
  { role: 'system', content: debateSystem(matter) },
  { role: 'user', content: [`Question (${matter.type}): ${matter.question}`, turns.length > 0 ? `Said so far:\n${spokenTurns(turns)}` : '', task].filter(Boolean).join('\n\n') },
];

/** How a turn's JSON is asked for. */
export const PLAN_FORM = 'Reply with JSON: {"reason": "<at most 25 words>", "plan": ["<operator>", ...]}';
