import { z } from 'zod';
import { optionalInput, withoutControls } from '#base';
import { referenceKind } from '#search';
import { referencesText } from './references-text.ts';
import { narrowed, type Tool } from './tool.ts';

const name = z.string().trim().min(1).max(300);
const input = z
  .strictObject({
    symbol: name.describe(
      'A function, class, method, constant or key, as merge or Store.merge; or a path, for imports.',
    ),
    kind: optionalInput(referenceKind).describe(
      'Default uses: all that programs do with it. callees: what it calls itself; documents: pages that name it; ' +
        'reaches: how it leads to another symbol.',
    ),
    to: optionalInput(name).describe('For reaches: the other symbol.'),
    folder: optionalInput(z.string().max(1000)).describe('Only in this folder or file.'),
  })
  .refine(({ kind, to }) => kind !== 'reaches' || to !== undefined, {
    path: ['to'],
    error: 'Kind reaches needs the other symbol.',
  });

const MOST_SHOWN = 80;

/** Lists where programs define and use a symbol. */
export const referencesTool: Tool<z.infer<typeof input>> = {
  name: 'references',
  title: (t) => t('references'),
  description:
    'Lists where code defines, calls, uses, implements, overrides, imports, sets or throws a symbol, by file and ' +
    'line. Use it for who calls something, what it calls, and where a name is used.',
  input,
  asked: ({ symbol, kind, to }) =>
    `${kind ?? (to ? 'reaches' : 'uses')} of ${symbol}${to === undefined ? '' : ` to ${to}`}`,
  run: async ({ retriever, scope, signal }, { symbol, kind, to, folder }) => {
    const paths = narrowed(scope, folder)?.paths;
    const answer = await retriever.references(
      { symbol, kind: kind ?? (to ? 'reaches' : 'uses'), ...(to && { to }), ...(paths && { paths }) },
      signal,
    );
    const shown = [...answer.definitions, ...answer.references.slice(0, MOST_SHOWN)];
    const ids = [...new Set(shown.map(({ passageId }) => passageId))];
    return {
      ...(ids.length > 0 && { note: 'Cite a place of this list as [path:line].' }),
      text: withoutControls(referencesText({ ...answer, references: answer.references.slice(0, MOST_SHOWN) })),
      passages: await retriever.passages(ids, signal),
      places: shown.map(({ path, line, passageId }) => ({ path, startLine: line, endLine: line, passageId })),
      total: answer.definitions.length + answer.total,
      structured: { ...answer },
    };
  },
};
