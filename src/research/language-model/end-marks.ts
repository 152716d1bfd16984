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
    const from = beginOfMarks(text);
    this.#held = text.slice(from);
    return text.slice(0, from);
  }

  /** What was held back and is no mark. */
  end(): string {
    const text = this.#held;
    this.#held = '';
    return MARKS.some((mark) => text.startsWith(mark)) ? '' : text;
  }
}

/** Where the marks at the end begin, and the beginning of one; the text's length where there are none. */
function beginOfMarks(text: string): number {
  for (let at = text.indexOf('<', text.length - LOOKED_AT); at >= 0; at = text.indexOf('<', at + 1))
    if (isOfMarks(text.slice(at))) return at;
  return text.length;
}

function isOfMarks(text: string): boolean {
  let rest = text;
  for (;;) {
    rest = rest.trimStart();
    const mark = MARKS.find((one) => rest.startsWith(one));
    if (mark === undefined) return rest === '' || MARKS.some((one) => one.startsWith(rest));
    rest = rest.slice(mark.length);
  }
}
