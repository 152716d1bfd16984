/** Terminal colours; plain text when the stream is no terminal or NO_COLOR is set (https://no-color.org). */
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
  const paint = (open: number, close: number) => (text: string): string => (on ? `\u001B[${open}m${text}\u001B[${close}m` : text);
  return { bold: paint(1, 22), dim: paint(2, 22), accent: paint(36, 39), good: paint(32, 39), warn: paint(33, 39), error: paint(31, 39) };
}
