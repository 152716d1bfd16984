import { escapeForPrompt } from './passage-block.ts';

/** A question that a run has answered before. */
export interface KnownAnswer {
  question: string;
  answer: string;
  /** Numbers of the passages that it rests on. */
  numbers: readonly number[];
}

/** What is known so far; '' when that is nothing. Answers came out of document text and are escaped as such. */
export function knownBlock(known: readonly KnownAnswer[]): string {
  if (known.length === 0) return '';
  return ['Found so far:', ...known.map(({ question, answer, numbers }) => `- ${line(question)} ${line(answer)}${numbers.map((number) => ` [${number}]`).join('')}`)].join('\n');
}

const line = (text: string): string => escapeForPrompt(text).replace(/\s+/gu, ' ').trim();
