import { referencesText } from '#research';
import type { ReferenceKind } from '#search';
import { UsageError } from '../cli-error.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { pathScope } from '../places.ts';

export interface ReferencesCommandOptions extends EngineOptions {
  kind: ReferenceKind;
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
  const paths = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    await update({}, signal);
    const answer = await engine.retriever.references(
      { symbol: symbol.trim(), kind: options.kind, ...(paths && { paths }) },
      signal,
    );
    if (options.json) output.json(answer);
    else output.out(referencesText(answer));
  });
}
