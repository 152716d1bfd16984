import type { ResearchEvent } from '#research';
import type { ThreadRecord } from './thread-log.ts';
import type { Passage } from '#search';

/** Milliseconds between two writes while a run goes on. A crash loses the events since the last write. */
const INTERVAL_MS = 500;

/** Writes a run's events in small batches, so that streaming does not touch the disk for every token. */
export class RunRecorder {
  readonly #runId: string;
  readonly #write: (record: ThreadRecord) => Promise<void>;
  #waiting: ResearchEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(runId: string, write: (record: ThreadRecord) => Promise<void>) {
    this.#runId = runId;
    this.#write = write;
  }

  add(event: ResearchEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    this.#flush();
    await this.#last;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const events = compactEvents(this.#waiting);
    this.#waiting = [];
    this.#last = this.#last.then(() => this.#write({ type: 'events', runId: this.#runId, events }));
  }
}

/** Hits kept per retrieval, and text kept of a passage that is on no chain: enough to show it and to find it again. */
const HITS_KEPT = 8;
const TEXT_KEPT = 400;

/** One event as it is kept: what the panel never shows of it is left out. */
function compactEvent(event: ResearchEvent): ResearchEvent {
  switch (event.type) {
    case 'passages-retrieved':
      return {
        ...event,
        hits: event.hits.slice(0, HITS_KEPT).map((hit) => ({ ...hit, passage: shorten(hit.passage), folded: [] })),
        chain: event.chain && {
          ...event.chain,
          hops: event.chain.hops.map((hop) => ({ ...hop, passage: withoutLinks(hop.passage) })),
        },
      };
    case 'answer-end': {
      const { answer } = event;
      return {
        ...event,
        answer: {
          ...answer,
          passages: answer.passages.map(withoutLinks),
          chain: {
            ...answer.chain,
            hops: answer.chain.hops.map((hop) => ({ ...hop, passage: withFewLinks(hop.passage) })),
          },
        },
      };
    }
    default:
      return event;
  }
}

const withoutLinks = (passage: Passage): Passage => ({ ...passage, links: [] });

/** Links of a hop that are kept: those that lead on to another file. */
const LINKS_KEPT = 6;

/** With the few links that the next question may be about. */
function withFewLinks(passage: Passage): Passage {
  const leading = passage.links.filter((link) => link.path !== undefined && link.path !== passage.path);
  return { ...passage, links: leading.slice(0, LINKS_KEPT) };
}

/** Cut at the end of a line, so that what is left can still be found in its file. */
function shorten(passage: Passage): Passage {
  const { text } = passage;
  if (text.length <= TEXT_KEPT) return withoutLinks(passage);
  const end = text.lastIndexOf('\n', TEXT_KEPT);
  return {
    ...passage,
    links: [],
    text: text.slice(0, end > 0 ? end : text.indexOf('\n') > 0 ? text.indexOf('\n') : text.length),
  };
}

/**
 * Joins neighbouring answer deltas; those before the checked answer are dropped, because it replaces them. First hits
 * are not kept: they only pass the time until a trail comes.
 */
export function compactEvents(events: readonly ResearchEvent[]): ResearchEvent[] {
  const checked = events.some((event) => event.type === 'answer-end');
  const kept: ResearchEvent[] = [];
  for (const event of events) {
    const last = kept.at(-1);
    if (event.type === 'first-hits') continue;
    if (event.type !== 'answer-delta') kept.push(compactEvent(event));
    else if (checked) continue;
    else if (last?.type === 'answer-delta') kept[kept.length - 1] = { ...last, text: last.text + event.text };
    else kept.push(event);
  }
  return kept;
}

/** True for the one event that ends a run. */
export function endsRun(event: ResearchEvent): boolean {
  return event.type === 'run-end' || event.type === 'run-error' || event.type === 'run-cancelled';
}
