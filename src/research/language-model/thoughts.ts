import { expression } from '#base';

/** What begins and ends a thought, by the names and in the signs that models give it; gpt-oss thinks in channels. */
const THOUGHT = expression('gi')`
  (?<ends><\/(?:think|thinking|thought|reasoning)\s?>|\[\/THINK\]|◁\/think▷|<\|channel\|>final[^<]{0,80}<\|message\|>)|
  <(?:think|thinking|thought|reasoning)(?:\s[^<>]{0,40})?>|\[THINK\]|◁think▷|
  <\|channel\|>(?:analysis|commentary)[^<]{0,80}<\|message\|>
`;
/** Signs between which such a tag is only spoken of. */
const QUOTES = '`"\'';

/** A reply without thoughts; one may have begun in the prompt. `open`: what becomes of one that never ends. */
export function withoutThoughts(reply: string, open: 'kept' | 'removed'): string {
  let spoken = '';
  let from = 0;
  let thought: number | undefined; // where it begins
  for (const { 0: tag, index, groups } of reply.matchAll(THOUGHT)) {
    if (isQuoted(reply, index, tag.length) || (tag.startsWith('[') && tag !== tag.toUpperCase())) continue;
    if (groups?.['ends'] === undefined) {
      thought ??= index;
    } else {
      spoken = thought === undefined ? '' : spoken + reply.slice(from, thought);
      from = index + tag.length;
      thought = undefined;
    }
  }
  return spoken + reply.slice(from, open === 'kept' ? undefined : thought);
}

function isQuoted(text: string, at: number, length: number): boolean {
  const before = text[at - 1];
  return before !== undefined && QUOTES.includes(before) && text[at + length] === before;
}

/** Whether a reply, as far as it has come, says anything beside its thoughts; the beginning of a tag is no word yet. */
export const hasSpoken = (reply: string): boolean =>
  !/^\s*(?:<[^\s>]{0,12}|\[(?:T[HINK]{0,4})?|◁\w{0,5}|<\|channel\|[^<]{0,80}(?:<[^>]{0,9})?)?$/.test(
    withoutThoughts(reply, 'removed'),
  );

/** What chat templates end a turn with; servers with the wrong template let it through. */
const MARKS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|return|>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
  '</s>',
];
/** So much of a text is looked at: a few marks, one after the other. */
const LOOKED_AT = 120;

/** Takes the marks from the end of a text that comes in pieces; what may become one is held back meanwhile. */
export class EndMarks {
  #held = '';

  write(piece: string): string {
    const text = this.#held + piece;
    let from = text.indexOf('<', text.length - LOOKED_AT);
    while (from >= 0 && !isOfMarks(text.slice(from))) from = text.indexOf('<', from + 1);
    this.#held = from < 0 ? '' : text.slice(from);
    return from < 0 ? text : text.slice(0, from);
  }

  end(): string {
    const text = this.#held;
    this.#held = '';
    return MARKS.some((mark) => text.startsWith(mark)) ? '' : text;
  }
}

/** True for marks in a row, the last of which may be incomplete. */
function isOfMarks(text: string): boolean {
  const rest = text.trimStart();
  const mark = MARKS.find((one) => rest.startsWith(one));
  return mark === undefined ? MARKS.some((one) => one.startsWith(rest)) : isOfMarks(rest.slice(mark.length));
}
