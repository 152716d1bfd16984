import type { QuestionType } from '../../model/question.ts';

/** "the director of the film", "the song's author": one thing reached through another. */
const RELATION = /\b(?:of|by|in|from|at) (?:the|a|an|which|whose)\b|['’]s\b/giu;
/** "the person who …", "the city where …". */
const CLAUSE = /\b(?:who|whom|whose|which|that|where|when|after|before)\b/giu;
const EACH = /\b(?:both|either|same|respectively|or|than|between|common)\b/iu;

/** How many passages an answer is likely to need, 1 to 4, guessed from the wording alone. */
export function expectedHops(question: string, type: QuestionType): number {
  const relations = [...question.matchAll(RELATION)].length;
  const clauses = Math.max(0, [...question.matchAll(CLAUSE)].length - 1); // one of them asks
  const steps = 1 + Math.ceil((relations + clauses) / 2);
  switch (type) {
    case 'comparison': return Math.min(4, Math.max(2, steps));
    case 'lookup': return 1;
    case 'overview': return 4;
    case 'inference':
    case 'temporal':
    case 'null': return Math.min(4, EACH.test(question) ? Math.max(2, steps) : steps);
  }
}
