export { UsageError, exitCodeOf, type Interruption } from './exit.ts';
export {
  modelAt,
  namedEndpoint,
  packageRoot,
  withEngine,
  withIndexProcess,
  type EngineOptions,
} from './open-engine.ts';
export { type Output, ProgressLine, bar, signed } from './terminal.ts';
export { evaluationIndexUri } from './places.ts';
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
