import type { Feedback, ResearchEvent, Scope, Selection, Thread, ThreadTurn, Without } from '../protocol.ts';
import { compactEvents, endsRun } from './run-recorder.ts';

/** One line of a thread's file. Lines are only ever added: a crash costs the last one at most. */
export type ThreadRecord =
  | { type: 'thread'; version: 1; id: string; title: string; time: number }
  | { type: 'title'; title: string; time: number }
  | {
      type: 'turn';
      runId: string;
      question: string;
      scope: Scope;
      time: number;
      harder?: true;
      selection?: Selection;
      without?: Without;
    }
  | { type: 'events'; runId: string; events: ResearchEvent[] }
  | { type: 'feedback'; runId: string; feedback: Feedback };

/** Lines of a file to records; a torn or foreign line is left out. */
export function parseThreadLog(text: string): ThreadRecord[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const record = JSON.parse(line) as ThreadRecord;
      return typeof record === 'object' && record !== null && 'type' in record ? [record] : [];
    } catch {
      return []; // the line that a crash tore
    }
  });
}

export function serialiseRecords(records: readonly ThreadRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
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
        const turn: ThreadTurn = {
          runId: record.runId,
          question: record.question,
          scope: record.scope,
          events: [],
          cutOff: false,
          ...(record.harder && { harder: true }),
          ...(record.selection && { selection: record.selection }),
          ...(record.without && { without: record.without }),
        };
        turns.set(record.runId, turn);
        thread.turns.push(turn);
        thread.updated = record.time;
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
  return line.length <= 80 ? line : `${line.slice(0, 79).replace(/\s\S*$/, '')}…`;
}
