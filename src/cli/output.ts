import { escapedJson } from '#base';
import { forTerminal, styleFor, type Style } from './terminal/style.ts';

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
