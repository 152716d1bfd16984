import type { RecordedCall } from '../scripted-language-model.ts';

export type PromptKind =
  | 'read' // the tool loop
  | 'memory'
  | 'plan'
  | 'affirmative'
  | 'negative'
  | 'fast'
  | 'slow'
  | 'judge'
  | 'judge-soft'
  | 'decompose'
  | 'next-step'
  | 'critique-node'
  | 'critique-answer'
  | 'rewrite'
  | 'classify'
  | 'repair-reply';

const SIGNS: readonly (readonly [PromptKind, RegExp])[] = [
  ['repair-reply', /That reply could not be used/],
  ['judge-soft', /the debate is over/],
  ['judge', /You are the judge/],
  ['affirmative', /You speak for/],
  ['negative', /You speak against it/],
  ['fast', /You listen to this round only/],
  ['slow', /You weigh everything that was said/],
  ['plan', /You plan how a question is answered/],
  ['classify', /You sort questions by what answering them takes/],
  ['decompose', /Split the question/],
  ['next-step', /You lead a search/],
  ['critique-node', /You check one step/],
  ['critique-answer', /You check an answer/],
  ['rewrite', /You rewrite the last question/],
  ['memory', /from what you know/],
  ['read', /You answer questions from the files/],
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
  const users = call.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const SIGNS_OF_ONE = [/\nLast question: (.+)/, /(?:^|\n)(?:Question|Step): (.+)/]; // of a conversation, the last
  const asked = SIGNS_OF_ONE.flatMap((sign) => users.map((content) => sign.exec(content)?.[1])).find(Boolean);
  return (asked ?? users.at(-1) ?? '').trim();
}

/** Number under which a prompt shows lines of this file first; undefined when it does not. */
export function numberOfFile(call: RecordedCall, file: string): number | undefined {
  const number = new RegExp(`\\[(\\d+)\\] [^\\n]*${file}`).exec(call.prompt)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** What an assistant knows: said where its file is shown. */
export interface Fact {
  asked: RegExp;
  file: string;
  line?: number;
  because: string;
  short: string;
}

/** A reading by facts: those that are asked for and shown, each with its line; none where one is missing. */
export function readBy(call: RecordedCall, facts: readonly Fact[]): string {
  const shown = facts.map((fact) => ({ ...fact, number: numberOfFile(call, fact.file) }));
  const last = shown.at(-1);
  if (!last || shown.some(({ number }) => number === undefined)) return 'Short: none';
  const said = shown.map(({ because, number, line = 1 }) => `${because} [${number}:${line}].`).join(' ');
  return `${said}\nShort: ${last.short}`;
}
