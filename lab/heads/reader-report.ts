import { interpret } from '#search/lab';
import { answerF1, exactMatch } from '#research/lab';
import { mean } from '#base';
import type { ReaderCase } from './reader-cases.ts';
import { trainReader, type FoldOf } from './train-reader.ts';
import { bootstrapInterval } from '../statistics.ts';

type Figures = Record<string, Record<string, { mean: number; ci95: [number, number] }>>;

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
  const rows = new Map<string, Record<string, number[]>>();
  const add = (set: string, name: string, value: number): void => {
    const row = rows.get(set) ?? {};
    row[name] = [...(row[name] ?? []), value];
    rows.set(set, row);
  };
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
        add(set, 'em', exactMatch(answer, [example.question.answer]));
        add(set, 'f1', answerF1(answer, [example.question.answer]));
        add(set, 'answered', Number(answer !== ''));
        if (answer !== '') add(set, 'precision', exactMatch(answer, [example.question.answer]));
        add(set, 'kept', Number(reading.answerability >= REFUSE_BELOW));
      } else add(set, 'refused', Number(reading.answerability < REFUSE_BELOW));
    }
  }
  return Object.fromEntries(
    [...rows].map(([set, columns]) => [
      set,
      Object.fromEntries(
        Object.entries(columns).map(([name, values]) => [
          name,
          { mean: round(mean(values)), ci95: bootstrapInterval(values, seed).map(round) as [number, number] },
        ]),
      ),
    ]),
  );
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
