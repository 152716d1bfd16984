import type { QuestionType, Passage } from '#search';
import type { OperatorName } from '../domain/plan.ts';
import { EVIDENCE_IS_DATA, fenced, inOneLine } from '../evidence/fence.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import type { DecompositionExample } from '../operators/operator.ts';
import type { Speaker } from './plan-reply.ts';
import { SUB_QUESTION_FORM } from './sub-questions.ts';

/** What a planner and every debater know. */
export interface PlanMatter {
  question: string;
  /** Of the classifier; undefined: nobody has told it. */
  type: QuestionType | undefined;
  operators: readonly OperatorName[];
  /** What a first search found, best first: planners see its titles. */
  found: readonly Passage[];
  /** Splits of earlier questions like this one, the most alike last. */
  examples: readonly DecompositionExample[];
}

/** How each type is best gone about: what BELLE tells its planners as meta prompts (§3.1), in our words. */
const GUIDANCE: Readonly<Record<Exclude<QuestionType, 'null'>, string>> = {
  lookup: 'one fact that stands in one place: one search, with the words that the place may have',
  inference:
    'a fact is reached over another that is only described: find the bridge first, then what is asked of it. One look with ' +
    'queries for both often shows both; take turns where the second search needs the first result, sub-questions where ' +
    'both can be asked now',
  comparison:
    'two or more things are held against each other: the same fact of each, by a sub-question for each side, then one ' +
    'conclusion',
  temporal:
    'order, duration or change over time: the time of each event by a sub-question of its own; look for later changes, ' +
    'too',
  overview: 'many places together make the answer: a query for each aspect, and enough of them',
};

/** How many titles are shown. */
const MOST_TITLES = 16;

/** Shared by the planner and all debaters word for word, so that a prompt cache serves it. */
function planSystem({ operators }: PlanMatter): string {
  const guide = operators.map((name) => {
    const { whenToUse, cost } = operatorCalled(name);
    return `${name}: ${whenToUse.does}. Good for: ${whenToUse.goodFor}. About ${cost.tokens} tokens.`;
  });
  const types = Object.entries(GUIDANCE).map(([type, how]) => `${type}: ${how}`);
  return [
    'You plan how a question is answered from the files of a workspace. A plan is one to three operators, run in order; ' +
      'each sees what came before. Choose the plan that finds the whole answer; among such plans the one of least cost.',
    `Operators:\n${guide.join('\n')}`,
    `Types of questions:\n${types.join('\n')}`,
    `${EVIDENCE_IS_DATA} It shows what a first search found, and tells how these files speak.`,
  ].join('\n\n');
}

/** What a planner writes for the searches and the sub-questions. */
const PARTS =
  `"queries": three to six searches in the words that the files may use: likely identifiers and file names, terms of the ` +
  `field, synonyms, and one line as it may stand in the file that answers. "subQuestions": where the plan has sub-step. ` +
  `${SUB_QUESTION_FORM} Else an empty list.`;

/** A debater needs words for its reasons. Whoever agrees need not repeat what was said. */
export function planForm(speaker: Speaker): string {
  const words = speaker === 'debater' ? 60 : 25;
  const verdict = { planner: '', debater: '"agree": true or false, ', judge: '"settled": true or false, ' }[speaker];
  const agreeing =
    speaker === 'debater'
      ? ' Where you agree with the plan that was said last, say so in few words and leave "plan" and all behind it out.'
      : '';
  return (
    `Reply with JSON: {"type": "<type>", "reason": "<at most ${words} words>", ${verdict}"plan": ["<operator>", ...], ` +
    `"subQuestions": [...], "queries": [...]}. ${PARTS}${agreeing}`
  );
}

/** The question with its titles, and what is wanted last. */
export function planMessages(matter: PlanMatter, parts: readonly string[]): ChatMessage[] {
  const { question, type, found, examples } = matter;
  const titles = found.slice(0, MOST_TITLES).map(({ path, title }) => `${inOneLine(path)}  ${inOneLine(title)}`.trim());
  const split = examples.map((one) => `- ${inOneLine(one.question)} → ${one.steps.map(inOneLine).join(' / ')}`);
  const content = [
    fenced([...new Set(titles)].join('\n')),
    split.length > 0 ? `Questions like it were split so:\n${split.join('\n')}` : '',
    `Question: ${question}${type ? `\nIts wording suggests: ${type}.` : ''}`,
    ...parts,
  ];
  return [
    { role: 'system', content: planSystem(matter) },
    { role: 'user', content: content.filter(Boolean).join('\n\n') },
  ];
}
