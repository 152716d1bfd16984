import { HoptrailError, reportError, SerialQueue, unlessAborted } from '#base';
import type { ResearchEvent } from '#research';
import type { PastTurn, Question } from '#search';
import {
  type Feedback,
  type Scope,
  type Selection,
  type Thread,
  type ThreadTurn,
  type ToWebview,
  type Without,
} from '../protocol.ts';
import { RunRecorder, compactEvents, endsRun, titleFromQuestion, type ThreadRecord } from './thread-log.ts';
import { joinWithout, scopeFilter, withSelection } from './what-is-asked.ts';
import { answerIn } from './turn-passages.ts';
import type { ThreadStore } from './thread-store.ts';

/** As the settings want it, more thorough, with a debated plan, or with quotes alone, whatever model is chosen. */
export type Effort = 'usual' | 'harder' | 'debate' | 'quotes';

/** Makes the stream of events of one question; its run has the id that the question names. */
export type Research = (
  question: Question,
  signal: AbortSignal,
  effort: Effort,
  /** What the run must not look at. */
  without?: Without,
) => AsyncIterable<ResearchEvent> | Promise<AsyncIterable<ResearchEvent>>;

/** How a question is asked, where that is not the usual way. */
export interface HowToAsk {
  research?: Research;
  /** As if this run and those after it had not been. */
  before?: string;
  /** Without the history of the thread: nothing is put in the place of its words. */
  asWritten?: boolean;
  selection?: Selection;
  without?: Without;
}

interface HowToRun extends HowToAsk {
  effort?: Effort;
}

/** A run that was made elsewhere, from its first event to its last. */
export type FinishedRun = Pick<ThreadTurn, 'runId' | 'question' | 'events'>;

/** The question cannot be asked as things stand. */
export class CannotAskError extends HoptrailError {
  readonly code = 'cannot-ask';
}

interface ConversationPorts {
  store: ThreadStore;
  research: Research;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Called with an error of which no caller waits to hear: a thread that could not be saved. */
  report(error: unknown): void;
}

/** How many earlier exchanges go with a follow-up. */
const HISTORY = 6;

/** The threads that are open, and their runs. Panels listen; runs go on when a panel is hidden or closed. */
export class Conversations {
  readonly #ports: ConversationPorts;
  readonly #threads = new Map<string, Thread>();
  /** Threads whose file was begun. */
  readonly #begun = new Set<string>();
  readonly #running = new Map<string, AbortController>();
  /**
   * One write after the other: a thread that is deleted must not be brought back by what is still being written about
   * it.
   */
  readonly #writes = new SerialQueue();
  readonly #listeners = new Set<(threadId: string, message: ToWebview) => void>();

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
  }

  /** Returns what ends the listening. */
  listen(listener: (threadId: string, message: ToWebview) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A new thread; nothing is kept of it before its first question. */
  create(): Thread {
    const thread: Thread = { id: this.#ports.newId(), title: '', updated: this.#ports.now(), turns: [] };
    this.#threads.set(thread.id, thread);
    return thread;
  }

  /** undefined when there is no such thread (any more). */
  async open(threadId: string): Promise<Thread | undefined> {
    const open = this.#threads.get(threadId);
    if (open) return open;
    const thread = await this.#ports.store.read(threadId, (runId) => this.#running.has(runId));
    const meanwhile = this.#threads.get(threadId);
    if (meanwhile) return meanwhile; // two panels that open it at once show the same one
    if (thread) {
      this.#threads.set(threadId, thread);
      this.#begun.add(threadId);
    }
    return thread;
  }

  findTurn(runId: string): { thread: Thread; turn: ThreadTurn } | undefined {
    for (const thread of this.#threads.values()) {
      const turn = thread.turns.find((candidate) => candidate.runId === runId);
      if (turn) return { thread, turn };
    }
    return undefined;
  }

  #openTurn(runId: string): { thread: Thread; turn: ThreadTurn } {
    const found = this.findTurn(runId);
    if (!found)
      throw new CannotAskError('This question is not in an open thread any more.', { advice: 'Ask it anew.' });
    return found;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Asks the question of a run again with more effort, as if the run and those after it had not been. Resolves when the
   * new run has ended.
   */
  async thinkHarder(runId: string, effort: 'harder' | 'debate' = 'harder'): Promise<void> {
    const { thread, turn } = this.#openTurn(runId);
    await this.#run(thread, turn.question, turn.scope, { ...turn, before: runId, effort });
  }

  /**
   * Asks the question of a run again at the same place, as if the run and those after it had not been; `without` what
   * was said not to belong, besides what that run was asked without. Resolves when the new run has ended.
   */
  async again(runId: string, without?: Without): Promise<void> {
    const { thread, turn } = this.#openTurn(runId);
    await this.#run(thread, turn.question, turn.scope, {
      selection: turn.selection,
      asWritten: turn.asWritten,
      without: joinWithout(turn.without, without),
      before: runId,
    });
  }

  /**
   * Stops a run whose model is not worth waiting for, and answers its question with quotes, at the same place. Resolves
   * when the new run has ended.
   */
  async quoteInstead(runId: string): Promise<void> {
    const { thread, turn } = this.#openTurn(runId);
    const ended = this.#untilEnded(runId);
    this.stop(runId);
    await ended;
    await this.#run(thread, turn.question, turn.scope, { ...turn, before: runId, effort: 'quotes' });
  }

  /**
   * Asks in a thread and resolves when the run has ended. @throws CannotAskError when the thread is gone, or still busy
   * with another question
   */
  async ask(threadId: string, text: string, scope: Scope, how: HowToAsk = {}): Promise<void> {
    const thread = await this.open(threadId);
    if (!thread) throw new CannotAskError('This thread was deleted.', { advice: 'Start a new one.' });
    await this.#run(thread, text, scope, how);
  }

  /** A new thread that begins with a run that was made elsewhere. */
  async keep({ runId, question, events }: FinishedRun): Promise<Thread> {
    const thread = this.create();
    const turn: ThreadTurn = { runId, question, scope: { kind: 'workspace' }, events: [...events], cutOff: false };
    await this.#begin(thread, turn);
    await this.#append(thread.id, [{ type: 'events', runId, events: compactEvents(events) }]);
    return thread;
  }

  /**
   * The turn is shown before anything is waited for, so that it can be seen and stopped; what keeps a run from
   * beginning ends it, like any other failure.
   */
  async #run(
    thread: Thread,
    text: string,
    scope: Scope,
    { research = this.#ports.research, before, asWritten, selection, without, effort = 'usual' }: HowToRun,
  ): Promise<void> {
    if (thread.turns.some((turn) => this.#running.has(turn.runId)))
      throw new CannotAskError('A question of this thread is still being answered.', {
        advice: 'Wait for its answer, or stop it.',
      });
    const runId = this.#ports.newId();
    const stop = new AbortController();
    const turn: ThreadTurn = {
      runId,
      question: text,
      scope,
      events: [],
      cutOff: false,
      ...((effort === 'harder' || effort === 'debate') && { harder: true }),
      ...(selection && { selection }),
      ...(without && { without }),
      ...(asWritten && { asWritten }),
    };
    // With a selection, what the question points at is the selection.
    const history = asWritten || selection ? [] : historyOf(thread, before);
    const asked = { text: withSelection(text, selection), history, scope: scopeFilter(scope), runId };
    this.#running.set(runId, stop);
    const began = this.#ports.now();
    const recorder = new RunRecorder(runId, (record) => this.#append(thread.id, [record]));
    const add = (event: ResearchEvent): void => {
      turn.events.push(event);
      recorder.add(event);
      this.#tell(thread.id, { type: 'event', threadId: thread.id, event });
      if (endsRun(event)) this.#running.delete(runId);
    };
    try {
      await this.#begin(thread, turn);
      stop.signal.throwIfAborted();
      const events = await unlessAborted(Promise.resolve(research(asked, stop.signal, effort, without)), stop.signal);
      for await (const event of events) add(event);
    } catch (error) {
      const now = this.#ports.now();
      const usage = {
        calls: 0,
        inputTokens: 0,
        outputTokens: 0,
        estimated: false,
        retrievals: 0,
        seconds: (now - began) / 1000,
      };
      if (turn.events.some(endsRun)) throw error;
      add(
        stop.signal.aborted
          ? { type: 'run-cancelled', runId, time: now, usage }
          : { type: 'run-error', runId, time: now, error: reportError(error), usage },
      );
    } finally {
      this.#running.delete(runId);
      await recorder.end();
    }
  }

  /** Resolves when this run has ended, at once when it is not going on. */
  #untilEnded(runId: string): Promise<void> {
    if (!this.#running.has(runId)) return Promise.resolve();
    return new Promise((resolve) => {
      const deaf = this.listen((_threadId, message) => {
        if (message.type !== 'event' || message.event.runId !== runId || !endsRun(message.event)) return;
        deaf();
        resolve();
      });
    });
  }

  stop(runId: string): void {
    this.#running.get(runId)?.abort();
  }

  stopAll(): void {
    for (const stop of this.#running.values()) stop.abort();
  }

  async rename(threadId: string, title: string): Promise<void> {
    const thread = await this.open(threadId);
    if (!thread) return;
    thread.title = title;
    await this.#append(threadId, [{ type: 'title', title, time: this.#ports.now() }]);
  }

  async delete(threadId: string): Promise<void> {
    for (const turn of this.#threads.get(threadId)?.turns ?? []) this.stop(turn.runId);
    this.#threads.delete(threadId);
    this.#begun.delete(threadId);
    await this.#writes.run(() => this.#ports.store.delete(threadId));
  }

  async setFeedback(runId: string, feedback: Feedback): Promise<{ thread: Thread; turn: ThreadTurn } | undefined> {
    const found = this.findTurn(runId);
    if (!found) return undefined;
    found.turn.feedback = feedback;
    this.#tell(found.thread.id, { type: 'feedback', runId, feedback });
    await this.#append(found.thread.id, [{ type: 'feedback', runId, feedback }]);
    return found;
  }

  async #begin(thread: Thread, turn: ThreadTurn): Promise<void> {
    const time = this.#ports.now();
    if (thread.title === '') thread.title = titleFromQuestion(turn.question);
    thread.updated = time;
    thread.turns.push(turn);
    this.#tell(thread.id, { type: 'turn-start', threadId: thread.id, turn: { ...turn, events: [] } });
    const records: ThreadRecord[] = this.#begun.has(thread.id)
      ? []
      : [{ type: 'thread', version: 1, id: thread.id, title: thread.title, time }];
    this.#begun.add(thread.id);
    const { events: _, cutOff: __, ...asked } = turn;
    await this.#append(thread.id, [...records, { type: 'turn', ...asked, time }]);
  }

  /** A thread that cannot be kept must not end the run that it is about. */
  async #append(threadId: string, records: ThreadRecord[]): Promise<void> {
    await this.#writes.run(async () => {
      if (!this.#begun.has(threadId)) return; // deleted meanwhile
      try {
        await this.#ports.store.append(threadId, records);
      } catch (error) {
        this.#ports.report(error);
      }
    });
  }

  #tell(threadId: string, message: ToWebview): void {
    for (const listener of this.#listeners) listener(threadId, message);
  }
}

/** The last exchanges that ended in an answer; with a run, those before it. */
function historyOf(thread: Thread, before?: string): PastTurn[] {
  const end = thread.turns.findIndex((turn) => turn.runId === before);
  return thread.turns
    .slice(0, end < 0 ? undefined : end)
    .flatMap((turn) => {
      const answer = answerIn(turn.events);
      return answer && !answer.abstained
        ? [
            {
              question: withSelection(turn.question, turn.selection),
              answer: answer.short === '' ? answer.text : answer.short,
            },
          ]
        : [];
    })
    .slice(-HISTORY);
}
