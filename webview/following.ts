/** How long turns that were drawn last may still grow, and move those below them: both have to be over. */
const SETTLING_MS = 600;
const SETTLING_FRAMES = 4;
/** A position that was set is read back rounded to the pixels of the screen. */
const ROUNDING_PX = 2;

/**
 * Keeps the newest question at the top of the view while its run unfolds below it: nothing that is being read moves.
 * Lets go of it as soon as anything else scrolls (a wheel, a key, find in page, a screen reader, the walk along a
 * trail), and soon after the end.
 */
export class Following {
  readonly #scroll: HTMLElement;
  #on = false;
  #newest: HTMLElement | null = null;
  #frame: number | undefined;
  /** In milliseconds since the epoch; endless while the newest run goes on, however long nothing comes of it. */
  #until = 0;
  /** A slow machine may not come to draw a frame within the time. */
  #framesLeft = 0;
  /** Where the view was put last, in pixels from the top; undefined before the first time. */
  #heldAt: number | undefined;

  constructor(scroll: HTMLElement) {
    this.#scroll = scroll;
    for (const event of ['wheel', 'keydown', 'pointerdown'] as const)
      scroll.addEventListener(event, () => this.#letGo(), { passive: true });
    scroll.addEventListener(
      'scroll',
      () => {
        if (this.#wasMoved()) this.#letGo();
      },
      { passive: true },
    );
  }

  /** A question was asked, or a thread opened. */
  begin(): void {
    this.#stopHolding(); // what was newest until now is not held any more
    this.#on = true;
    this.#until = 0;
    this.#heldAt = undefined;
  }

  /** To be called whenever the thread was drawn anew; `running` while the newest turn goes on. */
  drawn(newest: HTMLElement | null, running: boolean): void {
    if (!this.#on) return;
    // Time counts from the first drawing on: a hidden panel is drawn only when it is shown again.
    if (running) this.#until = Infinity;
    else if (this.#until === Infinity || this.#heldAt === undefined) this.#settle();
    this.#newest = newest;
    this.#hold();
    // Turns above take their true height when the browser comes to them, which draws nothing anew.
    if (this.#on && this.#frame === undefined) this.#frame = requestAnimationFrame(() => this.#holdOn());
  }

  #settle(): void {
    this.#until = Date.now() + SETTLING_MS;
    this.#framesLeft = SETTLING_FRAMES;
  }

  #holdOn(): void {
    this.#frame = undefined;
    this.#framesLeft--;
    this.#hold();
    if (this.#on) this.#frame = requestAnimationFrame(() => this.#holdOn());
  }

  #hold(): void {
    const settled = this.#framesLeft <= 0 && Date.now() > this.#until;
    if (!this.#newest?.isConnected || settled || this.#wasMoved()) {
      this.#letGo();
      return;
    }
    // The browser's own anchoring also moves the view when something above grows: here it would look like somebody's
    // scrolling.
    this.#scroll.style.overflowAnchor = 'none';
    this.#scroll.scrollTop += this.#newest.getBoundingClientRect().top - this.#scroll.getBoundingClientRect().top;
    this.#heldAt = this.#scroll.scrollTop;
  }

  /**
   * Whether the view stands elsewhere than where it was put; at its very end it may have been pushed there by a thread
   * that got shorter.
   */
  #wasMoved(): boolean {
    if (this.#heldAt === undefined) return false;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroll;
    const pushed = scrollTop < this.#heldAt && scrollTop >= scrollHeight - clientHeight - ROUNDING_PX;
    return !pushed && Math.abs(scrollTop - this.#heldAt) > ROUNDING_PX;
  }

  #stopHolding(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #letGo(): void {
    this.#stopHolding();
    this.#on = false;
    this.#heldAt = undefined;
    this.#scroll.style.overflowAnchor = '';
  }
}
