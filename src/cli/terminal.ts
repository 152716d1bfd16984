import { randomUUID } from 'node:crypto';
import { withoutControls, escapedJson } from '#base';
import type { IndexState } from '#search';

/**
 * Stands for the escape of our own colours until a text is printed: no file can hold it, because it is another one in
 * each run.
 */
const OUR_ESCAPE = `\uFDD0${randomUUID()}`;

/** A text as it may be printed: our own colours, and nothing else that a terminal obeys. */
export const forTerminal = (text: string): string => withoutControls(text).replaceAll(OUR_ESCAPE, '\u001B');

/**
 * Terminal colours, for texts that are printed by way of {@link forTerminal}; plain text when the stream is no terminal
 * or NO_COLOR is set (https://no-color.org).
 */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  accent(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  error(text: string): string;
}

export function styleFor(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): Style {
  const on = Boolean(stream.isTTY) && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      on ? `${OUR_ESCAPE}[${open}m${text}${OUR_ESCAPE}[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    accent: paint(36, 39),
    good: paint(32, 39),
    warn: paint(33, 39),
    error: paint(31, 39),
  };
}

/**
 * Where a command prints; what comes from files and endpoints loses here what a terminal would obey. Results go to
 * `out`, everything else to `err`.
 */
export interface Output {
  style: Style;
  errorStyle: Style;
  /** Columns of the terminal. */
  width: number;
  out(text: string): void;
  err(text: string): void;
  /** One JSON value on a line of its own. */
  json(value: unknown): void;
}

export function processOutput(): Output {
  return {
    style: styleFor(process.stdout),
    errorStyle: styleFor(process.stderr),
    width: Math.min(process.stdout.columns ?? 100, 120),
    out: (text) => {
      process.stdout.write(`${forTerminal(text)}\n`);
    },
    err: (text) => {
      process.stderr.write(`${forTerminal(text)}\n`);
    },
    json: (value) => {
      process.stdout.write(`${escapedJson(JSON.stringify(value))}\n`);
    },
  };
}

/** One line on stderr that is drawn over; nothing at all when stderr is no terminal. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #drawn = false;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  update(text: string): void {
    if (!this.#stream.isTTY) return;
    const width = Math.max(20, this.#stream.columns ?? 80) - 1;
    this.#stream.write(`\r\u001B[K${forTerminal(text).replaceAll('\n', ' ').slice(0, width)}`);
    this.#drawn = true;
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001B[K');
    this.#drawn = false;
  }
}

/** `Embedding ███░░ 120/300 passages, 95/s, 2 s left`. */
export function describeProgress(state: IndexState): string {
  switch (state.phase) {
    case 'starting':
      return 'Starting the index process';
    case 'reading':
      return `Reading ${bar(state.filesDone, state.filesTotal)} ${state.filesDone}/${state.filesTotal} files`;
    case 'embedding': {
      const rate = state.passagesPerSecond > 0 ? `, ${Math.round(state.passagesPerSecond)}/s` : '';
      const left = state.secondsLeft === undefined ? '' : `, ${formatSeconds(state.secondsLeft)} left`;
      return (
        `Embedding ${bar(state.passagesEmbedded, state.passagesToEmbed)} ` +
        `${state.passagesEmbedded}/${state.passagesToEmbed} passages${rate}${left}`
      );
    }
    case 'paused':
      return 'Paused';
    case 'read-only':
      return 'Another machine writes this index; reading it';
    case 'failed':
      return state.error?.message ?? 'Failed';
    case 'ready':
      return `Ready: ${state.coverage.files} files, ${state.coverage.passages} passages`;
  }
}

/** Bar of twenty cells. */
export function bar(done: number, total: number): string {
  const cells = total > 0 ? Math.round((20 * Math.min(done, total)) / total) : 0;
  return '█'.repeat(cells) + '░'.repeat(20 - cells);
}

export function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A path for a terminal: control characters, which a file name may hold, are written out instead of obeyed. */
export const printable = (path: string): string =>
  path.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
