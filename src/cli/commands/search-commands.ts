import type { RetrieverName, SearchHit, ReferenceKind } from '#search';
import { UsageError } from '../exit.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../terminal.ts';
import { pathScope } from '../places.ts';
import { excerpt, locationOf } from '../print-trail.ts';
import { referencesText } from '#research';

interface SearchCommandOptions extends EngineOptions {
  retriever: RetrieverName;
  limit: number;
  explain?: boolean;
  json?: boolean;
  path?: string[];
  language?: string[];
}

/** `hoptrail search DIR "query"`. */
export async function searchCommand(
  directory: string,
  query: string,
  options: SearchCommandOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (query.trim() === '') throw new UsageError('The query is empty.');
  const paths = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    await update({ soon: true }, signal);
    const filter = paths || options.language ? { paths, languages: options.language } : undefined;
    const { hits } = await engine.retriever.search(
      query,
      { retriever: options.retriever, limit: options.limit, filter },
      signal,
    );
    if (options.json) output.json(hits.map((hit) => jsonHit(hit, options.explain)));
    else
      output.out(
        hits.length === 0 ? 'Nothing found.' : hits.map((hit, i) => printHit(hit, i, options, output)).join('\n'),
      );
  });
}

function jsonHit({ passage, score, parts, folded }: SearchHit, explain: boolean | undefined): unknown {
  const { path, startLine, endLine, title, kind, text } = passage;
  const hit = { path, startLine, endLine, title, kind, score, text };
  return explain
    ? {
        ...hit,
        parts,
        folded: folded.map((other) => ({ path: other.path, startLine: other.startLine, endLine: other.endLine })),
      }
    : hit;
}

function printHit(hit: SearchHit, i: number, options: SearchCommandOptions, { style, width }: Output): string {
  const parts = Object.entries(hit.parts)
    .map(([part, { rank, score }]) => `${part} #${rank} (${score.toFixed(3)})`)
    .join(', ');
  return [
    `${String(i + 1).padStart(2)} ${style.accent(locationOf(hit.passage))}  ${style.bold(hit.passage.title)} ` +
      `${style.dim(hit.score.toFixed(4))}`,
    ...(options.explain ? [`   ${style.dim(parts)}`] : []),
    ...excerpt(hit.passage.text, 2, width - 4).map((line) => `   ${style.dim(line)}`),
  ].join('\n');
}

interface ReferencesCommandOptions extends EngineOptions {
  kind: ReferenceKind;
  to?: string;
  json?: boolean;
  path?: string[];
}

/** `hoptrail references DIR SYMBOL`. */
export async function referencesCommand(
  directory: string,
  symbol: string,
  options: ReferencesCommandOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (symbol.trim() === '') throw new UsageError('The symbol is empty.');
  const { to } = options;
  if (options.kind === 'reaches' && !to) throw new UsageError('--kind reaches needs --to SYMBOL.');
  const paths = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    await update({ soon: true }, signal);
    const answer = await engine.retriever.references(
      { symbol: symbol.trim(), kind: to ? 'reaches' : options.kind, ...(to && { to }), ...(paths && { paths }) },
      signal,
    );
    if (options.json) output.json(answer);
    else output.out(referencesText(answer));
  });
}
