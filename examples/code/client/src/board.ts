import type { Frame } from './frame.mjs'

/** Frames that the board remembers for each kiln, enough for its small curve. */
export const BOARD_HISTORY = 96

/** The latest frames of each kiln, in the order in which the kilns first spoke. */
export class Board {
  readonly #frames = new Map<string, Frame[]>()
  #lastSeq = 0

  /** The highest number seen; what the feed is asked to continue from. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  add(frame: Frame): void {
    const frames = this.#frames.get(frame.kiln) ?? []
    frames.push(frame)
    if (frames.length > BOARD_HISTORY) frames.shift()
    this.#frames.set(frame.kiln, frames)
    this.#lastSeq = Math.max(this.#lastSeq, frame.seq)
  }

  kilns(): string[] {
    return [...this.#frames.keys()]
  }

  /** Oldest first; empty for a kiln that never spoke. */
  historyOf(kiln: string): readonly Frame[] {
    return this.#frames.get(kiln) ?? []
  }
}
