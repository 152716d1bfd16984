export { UsageError } from './cli-error.ts';
export { modelAt, namedEndpoint } from './model-endpoint.ts';
export { withEngine, withIndexProcess, type EngineOptions } from './open-engine.ts';
export type { Output } from './output.ts';
export { evaluationIndexUri } from './places.ts';
export { ProgressLine, bar } from './terminal/progress-line.ts';
export { signed } from './terminal/signed.ts';
export { exitCodeOf, type Interruption } from './interruption.ts';
export {
  agentList,
  nonNegativeInteger,
  number,
  positiveInteger,
  researchOptions,
  share,
  withEndpoint,
  withModel,
  type ResearchFlags,
} from './research-flags.ts';
