import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { describeProgress } from '../terminal/progress-line.ts';

/** `hoptrail status DIR`: what the index holds now; changes nothing. */
export async function statusCommand(directory: string, options: EngineOptions & { json?: boolean }, output: Output, signal: AbortSignal): Promise<void> {
  await withEngine(directory, options, signal, async ({ engine, indexUri }) => {
    const state = await engine.index.state();
    if (options.json) output.json({ indexUri, ...state });
    else {
      output.out(describeProgress(state));
      output.out(`${state.coverage.embedded} of ${state.coverage.passages} passages searchable by meaning (${state.embedderId})`);
      output.out(`Index: ${indexUri}${state.bytes === undefined ? '' : `, ${(state.bytes / 1e6).toFixed(1)} MB`}`);
    }
  });
}
