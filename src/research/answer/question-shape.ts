import { expectedAnswer, type QuestionType, readNames } from '#search';
import type { ExtractiveShape } from './extractive-answer.ts';

/** How the quotes of an answer are laid out: by what the question asks for. */
export function shapeOf(question: string, type: QuestionType): ExtractiveShape {
  if (type === 'overview') return 'outline';
  const { kind } = expectedAnswer({ text: question, names: readNames(question) });
  return type === 'comparison' || kind === 'choice' || kind === 'yes-no' ? 'sides' : 'answer';
}
