import { styleFor, type Style } from './terminal/style.ts';

/** Where a command prints. Results go to `out`, everything else to `err`. */
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
    out: (text) => { process.stdout.write(`${text}\n`); },
    err: (text) => { process.stderr.write(`${text}\n`); },
    json: (value) => { process.stdout.write(`${JSON.stringify(value)}\n`); },
  };
}
