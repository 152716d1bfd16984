import type { DatasetQuestion } from '../../../lab/evaluation/dataset.ts';
import { createEngine, type Engine, type EnginePorts, type IndexProcess } from '../../../src/engine.ts';
import type { PredictedType } from '../../../src/research/index.ts';

/** A question of a data set. */
export const datasetQuestion = (more: Partial<DatasetQuestion> = {}): DatasetQuestion => ({
  id: 'q',
  question: 'What?',
  answer: '',
  aliases: [],
  type: 'inference',
  passages: [],
  supporting: [],
  ...more,
});

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
