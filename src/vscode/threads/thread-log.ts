import { z } from 'zod';
import { cutTo, readJsonLines } from '#base';
import type { Feedback, ResearchEvent, Thread, ThreadTurn } from '../protocol.ts';
import type { Passage } from '#search';

/** One line of a thread's file. Lines are only ever added: a crash costs the last one at most. */
export type ThreadRecord =
  | { type: 'thread'; version: 1; id: string; title: string; time: number }
  | { type: 'title'; title: string; time: number }
  | ({ type: 'turn'; time: number } & Omit<ThreadTurn, 'events' | 'cutOff' | 'feedback'>)
  | { type: 'events'; runId: string; events: ResearchEvent[] }
  | { type: 'feedback'; runId: string; feedback: Feedback };

const anyRecord = z.custom<ThreadRecord>((value) => typeof value === 'object' && value !== null && 'type' in value);

/** Lines of a file to records; a line that a crash tore, or another program wrote, is left out. */
export const parseThreadLog = (text: string): ThreadRecord[] => readJsonLines(text, anyRecord).values;

/** Each line behind its line break: one that a crash tore, or a full disk, does not spoil the next. */
export function serialiseRecords(records: readonly ThreadRecord[]): string {
  return records.map((record) => `\n${JSON.stringify(record)}`).join('');
}

/**
 * Records to the thread; undefined when they do not begin one. A run without its end is cut off, unless it is still
 * going.
 */
export function threadFromRecords(
  records: readonly ThreadRecord[],
  isRunning: (runId: string) => boolean,
): Thread | undefined {
  const first = records[0];
  if (first?.type !== 'thread') return undefined;
  const thread: Thread = { id: first.id, title: first.title, updated: first.time, turns: [] };
  const turns = new Map<string, ThreadTurn>();
  for (const record of records) {
    switch (record.type) {
      case 'thread':
        break;
      case 'title':
        thread.title = record.title;
        break;
      case 'turn': {
        const { type: _, time, ...asked } = record;
        const turn: ThreadTurn = { ...asked, events: [], cutOff: false };
        turns.set(turn.runId, turn);
        thread.turns.push(turn);
        thread.updated = time;
        break;
      }
      case 'events':
        turns.get(record.runId)?.events.push(...record.events);
        break;
      case 'feedback': {
        const turn = turns.get(record.runId);
        if (turn) turn.feedback = record.feedback;
        break;
      }
    }
  }
  for (const turn of thread.turns) {
    turn.events = compactEvents(turn.events);
    turn.cutOff = !turn.events.some(endsRun) && !isRunning(turn.runId);
  }
  return thread;
}

/** A title for a thread from its first question. */
export function titleFromQuestion(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${cutTo(line, 79).replace(/\s\S*$/, '')}…`;
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
 * and quotes of a model's silence are not kept: they only pass the time until a trail or an answer comes.
 */
export function compactEvents(events: readonly ResearchEvent[]): ResearchEvent[] {
  const checked = events.some((event) => event.type === 'answer-end');
  const kept: ResearchEvent[] = [];
  for (const event of events) {
    const last = kept.at(-1);
    if (event.type === 'first-hits' || event.type === 'quotes-meanwhile') continue;
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
