import { z } from 'zod';
import { baseName, countInput, optionalInput, withoutControls } from '#base';
import type { Passage } from '#search';
import { isInScope, type Tool, type ToolContext, ToolInputError } from './tool.ts';

const input = z.strictObject({
  path: z.string().trim().min(1).max(1000).describe('Path of a file as the search shows it.'),
  from: optionalInput(countInput()).describe('First line. Default 1.'),
  to: optionalInput(countInput()).describe('Last line. Default 120 lines from the first.'),
});

/** Lines that are read where nobody says how many, and the most that one call gives. */
const LINES = { usual: 120, most: 400 };

/** A file with lines, as results, compilers and links show it: `a.ts:3-5`, `a.ts:3:12`, `a.ts#L3`. */
const PLACE = /^(.+?)(?::|#L)(\d{1,7})(?:-L?(\d{1,7})|:\d{1,7})?$/u;

export const readTool: Tool<z.infer<typeof input>> = {
  name: 'read',
  title: (t) => t('read'),
  description:
    'Reads lines of one file, with their numbers. Use it to see what stands around a hit, or the whole of a function ' +
    'or section before you say what it does.',
  input,
  asked: ({ path, from, to }) =>
    from === undefined && to === undefined ? path : `${path}:${from ?? 1}${to === undefined ? '' : `-${to}`}`,
  run: async (context, { path: given, ...asked }) => {
    const named = given.replace(/^\.?\//u, '');
    const [, bare = named, start, end] = PLACE.exec(named) ?? [];
    const { path, passages } = await fileOf(context, named, bare);
    const isPlace = !path.endsWith(named.slice(bare.length));
    const { from = isPlace ? Number(start) : 1, to = isPlace && end ? Number(end) : undefined } = asked;
    const last = Math.max(...passages.map((passage) => passage.endLine));
    if (from > last) throw new ToolInputError(`${path} ends with line ${last}.`);
    const wanted = { path, from, to: Math.min(last, to ?? from + LINES.usual - 1, from + LINES.most - 1) };
    if (wanted.to < wanted.from) throw new ToolInputError(`Line ${to} comes before line ${from}.`);
    const inside = passages.filter(({ startLine, endLine }) => startLine <= wanted.to && endLine >= wanted.from);
    const lines = textOf(inside).filter((one) => one.line >= wanted.from && one.line <= wanted.to);
    const head = `${path}:${wanted.from}-${wanted.to} of ${last} lines`;
    return {
      text: [head, ...lines.map((one) => `${one.line}| ${one.text}`)].join('\n'),
      passages: inside,
      lines: wanted,
      places: [{ path, startLine: wanted.from, endLine: wanted.to, ...(inside[0] && { passageId: inside[0].id }) }],
      total: 1,
      structured: { path, from: wanted.from, to: wanted.to, of: last, lines },
    };
  },
};

function textOf(passages: readonly Passage[]): { line: number; text: string }[] {
  const lines = new Map<number, string>();
  for (const { startLine, startColumn, text } of passages)
    text.split('\n').forEach((one, i) => {
      const at = startColumn === undefined ? startLine + i : startLine;
      const before = startColumn === undefined ? undefined : lines.get(at);
      lines.set(at, withoutControls(before === undefined ? one : `${before}${one}`));
    });
  return [...lines].sort(([a], [b]) => a - b).map(([at, text]) => ({ line: at, text }));
}

/** The file of the first path, else of the bare one, or of its name. @throws ToolInputError naming others like it */
async function fileOf(
  context: ToolContext,
  named: string,
  path: string,
): Promise<{ path: string; passages: Passage[] }> {
  const { retriever, scope, signal } = context;
  for (const one of new Set([named, path])) {
    const passages = isInScope(one, scope) ? await retriever.passagesOf(one, signal) : [];
    if (passages.length > 0) return { path: one, passages };
  }
  const files = ((await context.files?.(signal)) ?? []).filter((file) => isInScope(file.path, scope));
  const alike = files.map((file) => file.path).filter((one) => one === path || baseName(one) === baseName(path));
  const [only] =
    alike.filter((one) => one.endsWith(path)).length === 1 ? alike.filter((one) => one.endsWith(path)) : alike;
  if (only !== undefined && (alike.length === 1 || only.endsWith(path))) {
    const found = await retriever.passagesOf(only, signal);
    if (found.length > 0) return { path: only, passages: found };
  }
  const hint =
    alike.length > 0 ? ` Files called alike: ${alike.slice(0, 8).join(', ')}.` : ' Search for it, or list files.';
  throw new ToolInputError(`There is no file ${JSON.stringify(path)} in this index.${hint}`);
}
