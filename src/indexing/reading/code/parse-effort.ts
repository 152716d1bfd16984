import type { ParseState } from '@vscode/tree-sitter-wasm';

/** The runtime reports after so many of its steps. */
const STEPS_PER_REPORT = 100;
/** Programs need 0.7 steps per character, and the oddest of 5,000 measured files 1.7. */
const STEPS_PER_CHARACTER = 2;
/** The worst of those files wasted 4,200 steps; a text made to confuse overflows the runtime's stack at 24,000. */
const MOST_WASTED = 10_000;
const WASTED_WORTH_DOUBT = 5_000;
/** The runtime counts offsets in bytes of UTF-16. */
const BYTES_PER_CHARACTER = 2;

/**
 * Counts the steps of one parse that brought it no further than the usual number would have. Counted in steps and not in
 * time, so that a busy machine cuts a file no differently than an idle one; time is only the last resort.
 */
export class ParseEffort {
  private wasted = 0;
  private most = 0;
  private furthest = 0;
  private readonly length: number;
  private readonly deadline: number;
  private readonly now: () => number;

  /** For a text of so many characters, blank ones at its end not counted (the runtime never reports those), with so much time. */
  constructor(length: number, milliseconds: number, now: () => number) {
    this.length = length;
    this.now = now;
    this.deadline = now() + milliseconds;
  }

  /** True when the parse should be given up. */
  report(state: ParseState): boolean {
    const forward = Math.max(0, state.currentOffset / BYTES_PER_CHARACTER - this.furthest);
    this.furthest += forward;
    // At the end the runtime balances its tree, which moves nothing forward and is harmless.
    const atEnd = this.furthest >= this.length - 2;
    this.wasted = atEnd ? 0 : Math.max(0, this.wasted + STEPS_PER_REPORT - forward * STEPS_PER_CHARACTER);
    this.most = Math.max(this.most, this.wasted);
    return this.wasted > MOST_WASTED || this.now() > this.deadline;
  }

  /** True when the parse came near to what overflows the runtime's stack: it should not be used again. */
  get isDoubtful(): boolean {
    return this.most > WASTED_WORTH_DOUBT;
  }
}
