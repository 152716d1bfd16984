import { createEngine, type Engine, type EnginePorts, type IndexProcess } from '../../../../src/engine.ts';
import type { PredictedType } from '../../../../src/research/index.ts';

/** An engine whose index is not asked for anything but to retrieve, and whose questions are all of one type. */
export function engineOver(
  retriever: IndexProcess['retriever'],
  type: PredictedType,
  ports: Pick<EnginePorts, 'model' | 'selectStrategy'>,
): Engine {
  let ids = 0;
  return createEngine({
    indexProcess: {
      index: {} as IndexProcess['index'],
      retriever,
      learner: {} as IndexProcess['learner'],
      onState: () => () => undefined,
      dispose: async () => undefined,
    },
    classifier: () => ({
      classify: async () => ({ type, probabilities: { [type]: 1 }, classifier: 'fixed' }),
    }),
    now: () => 0,
    newId: () => `run-${(ids += 1)}`,
    ...ports,
  });
}
