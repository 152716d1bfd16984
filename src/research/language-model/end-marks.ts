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
] as const;
/** So much of a text is looked at: a few marks, one after the other. */
const LOOKED_AT = 120;

/** Takes the marks from the end of a text that comes in pieces; what may become one is held back until that is known. */
export class EndMarks {
  #held = '';

  /** What may be handed on. */
  write(piece: string): string {
    const text = this.#held + piece;
    let from = text.indexOf('<', text.length - LOOKED_AT);
    while (from >= 0 && !isOfMarks(text.slice(from))) from = text.indexOf('<', from + 1);
    this.#held = from < 0 ? '' : text.slice(from);
    return from < 0 ? text : text.slice(0, from);
  }

  /** What was held back and is no mark. */
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
