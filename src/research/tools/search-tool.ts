import { z } from 'zod';
import { countInput, optionalInput, withoutControls } from '#base';
import { contentStems, type Passage } from '#search';
import { matchingLines } from '../evidence/view.ts';
import { narrowed, type Tool, unknownWords } from './tool.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(2000).describe('Words as the files may have them: names, terms, a phrase.'),
  folder: optionalInput(z.string().max(1000)).describe('Only in this folder or file.'),
  limit: optionalInput(countInput(60)).describe('Most hits. Default 12.'),
});

const LIMIT = 12;
/** Lines of a hit that an agent is shown: those that match. */
const MOST_LINES = 4;

/** Searches by words, meaning and links; gives the trail that it follows first, then what else was found. */
export const searchTool: Tool<z.infer<typeof input>> = {
  name: 'search',
  title: (t) => t('search'),
  description:
    'Finds passages of the local files by words, by meaning and by links between them, each with its path and the ' +
    'lines that match. Use it for anything whose place you do not know; search again in other words where the first ' +
    'hits do not answer.',
  input,
  asked: ({ query, folder }) => (folder ? `${query} (${folder})` : query),
  run: async ({ retriever, scope, signal }, { query, folder, limit }) => {
    const filter = narrowed(scope, folder);
    const { chains, hits, coverage, unknown } = await retriever.chains(
      query,
      { words: true, ...(filter && { filter }) },
      signal,
    );
    const note = unknownWords(unknown, coverage, filter);
    const words = new Set(contentStems(query));
    const best = hits.slice(0, limit ?? LIMIT);
    const rows = best.map(({ passage }) => hitRow(passage, words));
    const [chain] = chains;
    return {
      text: [note, ...(rows.length === 0 ? [`Nothing was found for “${query}”.`] : rows.map(rowText))]
        .filter(Boolean)
        .join('\n\n'),
      note,
      passages: best.map(({ passage }) => passage),
      hits: limit === undefined ? [...hits] : best,
      ...(chain && { chain }),
      places: best.map(({ passage: { path, startLine, endLine, id } }) => ({
        path,
        startLine,
        endLine,
        passageId: id,
      })),
      total: hits.length,
      structured: { hits: rows, coverage: { ...coverage }, ...(note !== '' && { unknown }) },
    };
  },
};

/** A hit as agents get it: its place, and the lines of it that match. */
function hitRow(passage: Passage, words: ReadonlySet<string>) {
  const { path, startLine, endLine, title, kind, text } = passage;
  const matching = matchingLines(passage, words, MOST_LINES);
  // What was found by its meaning alone is shown by its beginning.
  const lines = matching.length > 0 ? matching : [{ line: startLine, text: text.trimStart().split('\n', 1)[0] ?? '' }];
  return {
    path,
    startLine,
    endLine,
    title: withoutControls(title),
    kind,
    lines: lines.map(({ line, text: said }) => ({ line, text: withoutControls(said) })),
  };
}

const rowText = ({ path, startLine, endLine, title, lines }: ReturnType<typeof hitRow>): string =>
  [
    `${path}:${startLine}-${endLine}${title === '' ? '' : `  ${title}`}`,
    ...lines.map(({ line, text }) => `${line}| ${text}`),
  ].join('\n');
