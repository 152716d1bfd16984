import type { IndexState } from '#search';
import { forTerminal } from './style.ts';

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
      return `Embedding ${bar(state.passagesEmbedded, state.passagesToEmbed)} ${state.passagesEmbedded}/${state.passagesToEmbed} passages${rate}${left}`;
    }
    case 'paused':
      return 'Paused';
    case 'read-only':
      return 'Another process writes this index; reading it';
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
