import { interpret } from '#search/lab';
import { answerF1, exactMatch } from '#research/lab';
import type { ReaderCase } from './reader-cases.ts';
import { trainReader, type FoldOf } from './train-reader.ts';
import { type Figures, figuresOf } from '../statistics.ts';

/** Probability of an answer under which a question counts as refused. */
const REFUSE_BELOW = 0.5;

/**
 * Cross-validated figures of the reader: every case is read by models that did not see its question. `answered` is the
 * share of questions for which a short answer is offered, `precision` the exact match of those.
 */
export function crossValidateReader(
  cases: readonly ReaderCase[],
  foldOf: FoldOf,
  folds: number,
  seed: number,
): Figures {
  const told: [row: string, column: string, value: number][] = [];
  for (let fold = 0; fold < folds; fold++) {
    // Folds within the training part, so that stacking never sees the part that is scored.
    const models = trainReader(
      cases.filter((example) => foldOf(example) !== fold),
      foldOf,
      folds,
      seed,
    );
    for (const example of cases.filter(
      (each) => foldOf(each) === fold && each.answerable !== undefined && each.set !== 'gold',
    )) {
      const reading = interpret(example.profile, example.passages, example.sentences, {
        version: 1,
        trainedOn: {},
        ...models,
      });
      const set = `${example.question.set} ${example.set}`;
      if (example.answerable === true) {
        const answer = reading.byYears?.chosen ?? '';
        const em = exactMatch(answer, [example.question.answer]);
        told.push([set, 'em', em], [set, 'f1', answerF1(answer, [example.question.answer])]);
        told.push([set, 'answered', Number(answer !== '')]);
        if (answer !== '') told.push([set, 'precision', em]);
        told.push([set, 'kept', Number(reading.answerability >= REFUSE_BELOW)]);
      } else told.push([set, 'refused', Number(reading.answerability < REFUSE_BELOW)]);
    }
  }
  return figuresOf(told, seed);
}
