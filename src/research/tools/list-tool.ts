import { z } from 'zod';
import { isInScope, type Tool, ToolInputError } from './tool.ts';

const input = z.strictObject({
  glob: z.string().trim().min(1).max(300).describe('Pattern of paths: **/*.md, src/store/**, *config*.'),
});

const MOST_LISTED = 100;

/** Lists indexed files whose paths fit a pattern. */
export const listTool: Tool<z.infer<typeof input>> = {
  name: 'list',
  title: (t) => t('list files'),
  description: 'Lists the files whose paths fit a pattern. Use it to learn how a folder is laid out.',
  input,
  asked: ({ glob }) => glob,
  run: async ({ files, scope, signal }, { glob }) => {
    if (!files) throw new ToolInputError('Files cannot be listed here: search instead.');
    const fits = globTest(glob);
    const paths = (await files(signal))
      .map(({ path }) => path)
      .filter((path) => isInScope(path, scope) && fits(path))
      .sort();
    const shown = paths.slice(0, MOST_LISTED);
    const more = paths.length > shown.length ? `\nand ${paths.length - shown.length} more` : '';
    return {
      text: paths.length === 0 ? `No file fits ${glob}.` : `${paths.length} files\n${shown.join('\n')}${more}`,
      ...(paths.length > 0 && { note: 'Read a file before you cite it.' }),
      passages: [],
      places: shown.map((path) => ({ path, startLine: 1, endLine: 1 })),
      total: paths.length,
      structured: { files: shown, total: paths.length },
    };
  },
};

/**
 * Whether a path fits: `*` within a folder, `**` over folders, `?` one sign. A pattern without a slash is looked for at
 * any depth. Compared part by part, and not by picomatch, whose expressions take exponential time for some patterns:
 * models write these.
 */
export function globTest(glob: string): (path: string) => boolean {
  const trimmed = glob.replace(/^\.?\//u, '').replace(/\/$/u, '/**');
  const parts = (trimmed.includes('/') ? trimmed : `**/${trimmed}`).split('/');
  return (path) => fitsParts(parts, path.split('/'));
}

/** Dynamic programming over parts: `reached` are the parts of the pattern that the path so far may have come to. */
function fitsParts(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = closure(new Set([0]), pattern);
  for (const part of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const one = pattern[at];
      if (one === '**') next.add(at);
      else if (one !== undefined && fitsPart(one, part)) next.add(at + 1);
    }
    reached = closure(next, pattern);
  }
  return reached.has(pattern.length);
}

/** `**` may stand for no folder. */
function closure(places: Set<number>, pattern: readonly string[]): Set<number> {
  for (const at of places) if (pattern[at] === '**') places.add(at + 1);
  return places;
}

/** One part: pieces between the stars, in their order. */
function fitsPart(pattern: string, part: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = part.toLowerCase();
  const at = (piece: string, from: number): boolean =>
    from >= 0 &&
    from + piece.length <= text.length &&
    [...piece].every((sign, i) => sign === '?' || sign === text[from + i]);
  if (!at(first, 0)) return false;
  const last = rest.pop();
  if (last === undefined) return first.length === text.length;
  let from = first.length;
  for (const piece of rest) {
    while (from <= text.length - piece.length && !at(piece, from)) from += 1;
    if (!at(piece, from)) return false;
    from += piece.length;
  }
  return text.length - last.length >= from && at(last, text.length - last.length);
}
