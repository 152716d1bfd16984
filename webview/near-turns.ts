/**
 * Watches which turns are near the viewport: only they are drawn in full, so that long threads stay light. What goes
 * out of sight keeps its height: would it shrink, what is below would move, and bring it back into sight.
 */
export class NearTurns {
  readonly #observer: IntersectionObserver;
  readonly #watched = new WeakSet<Element>();
  #near = new Set<string>();

  constructor(root: Element, changed: (near: ReadonlySet<string>) => void) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        const near = new Set(this.#near);
        for (const entry of entries) {
          const turn = entry.target as HTMLElement;
          const runId = turn.dataset['run'] ?? '';
          if (entry.isIntersecting) near.add(runId);
          const wasDrawn = !entry.isIntersecting && near.delete(runId);
          turn.style.minBlockSize = wasDrawn ? `${entry.boundingClientRect.height}px` : '';
        }
        this.#near = near;
        changed(near);
      },
      { root, rootMargin: '1200px 0px' },
    );
  }

  /** Takes up turns that were drawn since the last call. */
  watch(root: ParentNode): void {
    for (const turn of root.querySelectorAll('.turn')) {
      if (this.#watched.has(turn)) continue;
      this.#watched.add(turn);
      this.#observer.observe(turn);
    }
  }
}
