import type { RecordedCall } from '../scripted-language-model.ts';

export type PromptKind =
  | 'answer'
  | 'brief-answer'
  | 'outline'
  | 'thought'
  | 'closed-book'
  | 'decompose'
  | 'next-sub-question'
  | 'next-step'
  | 'critique-node'
  | 'critique-answer'
  | 'affirmative'
  | 'negative'
  | 'fast'
  | 'slow'
  | 'judge'
  | 'judge-soft'
  | 'fast-plan'
  | 'rewrite'
  | 'shorten'
  | 'classify'
  | 'repair-reply';

const SIGNS: readonly (readonly [PromptKind, RegExp])[] = [
  ['repair-reply', /That reply could not be used/],
  ['judge-soft', /the debate is over/],
  ['judge', /You are the judge/],
  ['affirmative', /You speak for a plan/],
  ['negative', /You speak against it/],
  ['fast', /You listen to this round only/],
  ['slow', /You weigh everything that was said/],
  ['fast-plan', /Choose the cheapest plan/],
  ['shorten', /You cut an answer down/],
  ['classify', /You sort questions by what answering them takes/],
  ['decompose', /Split the question/],
  ['next-step', /You answer a question step by step/],
  ['next-sub-question', /These led nowhere:/],
  ['critique-node', /You check one step/],
  ['critique-answer', /You check an answer/],
  ['rewrite', /You rewrite the last question/],
  ['thought', /Write only the next sentence/],
  ['outline', /on the main points/],
  ['brief-answer', /Reply with one line/],
  ['closed-book', /If you cannot tell, reply only with/],
  ['answer', /If the passages do not tell, reply only with/],
];

/** Which of our prompts a call is, told by its last message first. */
export function promptKind(call: RecordedCall): PromptKind {
  const last = call.messages.at(-1)?.content ?? '';
  const found = SIGNS.find(([, sign]) => sign.test(last)) ?? SIGNS.find(([, sign]) => sign.test(call.prompt));
  if (!found) throw new Error(`This prompt is not known: ${call.prompt.slice(0, 400)}`);
  return found[0];
}

/** The question that a prompt asks about. */
export function askedIn(call: RecordedCall): string {
  const last = call.messages.at(-1)?.content ?? '';
  return (/(?:^|\n)(?:Question(?: \([a-z]+\))?|Step): (.+)/.exec(last)?.[1] ?? last).trim();
}

/** Number under which a prompt shows a passage of this file; undefined when it does not. */
export function numberOfFile(call: RecordedCall, file: string): number | undefined {
  const number = new RegExp(`<passage number="(\\d+)" file="[^"]*${file}`).exec(call.prompt)?.[1];
  return number === undefined ? undefined : Number(number);
}
