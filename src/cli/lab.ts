/** What experiments see of this room. */
export { UsageError, exitCodeOf, type Interruption } from './exit.ts';
export { packageRoot, withEngine, withIndexProcess, type EngineOptions } from './open-engine.ts';
export { modelAt, withEndpoint } from './model-endpoint.ts';
export { number, positiveInteger } from './numbers.ts';
export { type Output, ProgressLine, bar } from './terminal.ts';
export { researchOptions, withModel, type ResearchFlags } from './research-flags.ts';
