import type { IndexState } from '#search';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';

/** `hoptrail status DIR`: what the index holds now; changes nothing, and makes no index where there is none. */
export async function statusCommand(
  directory: string,
  options: EngineOptions & { json?: boolean },
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await withEngine(directory, { ...options, follow: true }, signal, async ({ engine, indexUri }) => {
    const state = await engine.index.state();
    if (options.json) output.json({ indexUri, ...state });
    else output.out(describeIndex(state, indexUri));
  });
}

function describeIndex({ coverage, embedderId, bytes, error, missing }: IndexState, indexUri: string): string {
  if (missing) return `No index yet: it will lie in ${indexUri}`;
  return [
    ...(error ? [error.message] : []),
    `${coverage.files} files, ${coverage.passages} passages`,
    `${coverage.embedded} of ${coverage.passages} passages searchable by meaning (${embedderId})`,
    // While it grows, its size is that of a moment ago.
    `Index: ${indexUri}${bytes === undefined || coverage.indexing ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`}`,
  ].join('\n');
}
