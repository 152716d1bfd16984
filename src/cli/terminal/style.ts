import { randomUUID } from 'node:crypto';
import { withoutControls } from '#base';

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
