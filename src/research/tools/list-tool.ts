import { z } from 'zod';
import { isInScope, type Tool, ToolInputError } from './tool.ts';

const input = z.strictObject({
  glob: z.string().trim().min(1).max(300).describe('Pattern of paths: **/*.md, src/store/**, *config*.'),
});

const MOST_LISTED = 100;

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

/** Whether a path fits `*`, `**`, `?`, `[a-c]`, `{a,b}`. Not by picomatch: some patterns take it exponential time. */
export function globTest(glob: string): (path: string) => boolean {
  const trimmed = glob.replace(/^\.?\//u, '').replace(/\/$/u, '/**');
  const ways = withoutBraces(trimmed.includes('/') ? trimmed : `**/${trimmed}`).map((way) => way.split('/'));
  return (path) => ways.some((parts) => fitsRow(parts, path.split('/'), '**', fitsPart));
}

/** Braces that are spelled out, and the most choices of each. */
const MOST_BRACES = { braces: 3, choices: 12 };

/** `*.{ts,md}` as two patterns. */
function withoutBraces(glob: string, left = MOST_BRACES.braces): string[] {
  const [all, before = '', choices = '', behind = ''] = /^([^{]*)\{([^{}]*)\}([^]*)$/u.exec(glob) ?? [];
  if (all === undefined || left === 0) return [glob];
  const ways = choices.split(',').slice(0, MOST_BRACES.choices);
  return ways.flatMap((way) => withoutBraces(before + way + behind, left - 1));
}

/** Whether a pattern fits a row of signs or parts: `reached` are the tokens that the row so far may have come to. */
function fitsRow(
  pattern: readonly string[],
  row: Iterable<string>,
  star: string,
  fits: (token: string, one: string) => boolean,
): boolean {
  const overStars = (places: Set<number>): Set<number> => {
    for (const at of places) if (pattern[at] === star) places.add(at + 1);
    return places;
  };
  let reached = overStars(new Set([0]));
  for (const one of row) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = pattern[at];
      if (token === star) next.add(at);
      else if (token !== undefined && fits(token, one)) next.add(at + 1);
    }
    reached = overStars(next);
  }
  return reached.has(pattern.length);
}

/** One sign of a pattern: a star, any sign, or a class of signs; a class that is not closed is a sign of its own. */
const TOKEN = /\*|\?|\[[!^]?[^\]]{1,60}\]|[^]/gu;

const fitsPart = (pattern: string, part: string): boolean =>
  fitsRow(pattern.toLowerCase().match(TOKEN) ?? [], part.toLowerCase(), '*', fitsSign);

function fitsSign(token: string, sign: string): boolean {
  if (token === '?' || token === sign) return true;
  if (token.length < 3) return false;
  const isOther = /^\[[!^]/u.test(token);
  const ranges = token.slice(isOther ? 2 : 1, -1).match(/[^]-[^]|[^]/gu) ?? [];
  return isOther !== ranges.some((range) => sign >= (range[0] ?? '') && sign <= (range[2] ?? range[0] ?? ''));
}
