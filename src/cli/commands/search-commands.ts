import type { RetrieverName, SearchHit, ReferenceKind } from '#search';
import { referencesText } from '#research';
import { UsageError } from '../exit.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import { pathScope } from '../places.ts';
import { excerpt, locationOf } from '../print-answer.ts';
import { type Output, printable } from '../terminal.ts';

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
    const { retriever, limit, language } = options;
    const filter = paths || language ? { paths, languages: language } : undefined;
    const { hits, coverage } = await engine.retriever.search(query, { retriever, limit, filter }, signal);
    if (options.json) output.json(hits.map((hit) => jsonHit(hit, options.explain)));
    else if (hits.length === 0)
      output.out(coverage.indexing ? 'Nothing found yet: the folder is still being read.' : 'Nothing found.');
    else output.out(hits.map((hit, i) => printHit(hit, i, options, output)).join('\n'));
  });
}

const place = ({ path, startLine, endLine }: SearchHit['passage']) => ({ path, startLine, endLine });

function jsonHit({ passage, score, parts, folded }: SearchHit, explain: boolean | undefined): unknown {
  const { title, kind, text } = passage;
  const hit = { ...place(passage), title, kind, score, text };
  return explain ? { ...hit, parts, folded: folded.map(place) } : hit;
}

function printHit(hit: SearchHit, i: number, { explain }: SearchCommandOptions, { style, width }: Output): string {
  const parts = Object.entries(hit.parts).map(([part, { rank, score }]) => `${part} #${rank} (${score.toFixed(3)})`);
  const title = style.bold(printable(hit.passage.title));
  return [
    `${String(i + 1).padStart(2)} ${style.accent(locationOf(hit.passage))}  ${title}`,
    ...(explain ? [`   ${style.dim(`${hit.score.toFixed(4)}: ${parts.join(', ')}`)}`] : []),
    ...excerpt(hit.passage.text, 2, width - 4).map((line) => `   ${style.dim(line)}`),
  ].join('\n');
}

interface ReferencesCommandOptions extends EngineOptions {
  kind: ReferenceKind;
  to?: string;
  json?: boolean;
  path?: string[];
}

/** `hoptrail references DIR SYMBOL`: by name; an editor asks its language servers first. */
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
    else output.out(`${referencesText(answer)}\n\n${output.style.dim('Found by name, import and container.')}`);
  });
}
