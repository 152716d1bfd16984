import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type PackedQuestionMap, type QuestionMap, unpackQuestionMap } from '#search/lab';

/**
 * Maps of questions that have not learnt from a folder, for what learns from that folder next: a map that saw its
 * questions finds their places far too well, and heads would trust it for more than it is worth.
 */
export interface FoldMaps {
  /** Undefined for a folder from which no map has learnt: that which ships serves it. */
  of(folder: string): QuestionMap | undefined;
}

const placeOf = (cache: string): string => path.join(cache, 'question-maps');
const FOLDS = 'folds.json';
const nameOf = (fold: number): string => `fold${fold}.json`;

/** @throws Error that names what makes them where there are none */
export function readFoldMaps(cache: string): FoldMaps {
  const place = placeOf(cache);
  if (!existsSync(path.join(place, FOLDS)))
    throw new Error(`${place} holds no maps of questions: npm run train:question-map makes them.`);
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(place, name), 'utf8'));
  const folds = z.record(z.string(), z.number().int()).parse(read(FOLDS));
  const maps = new Map(
    [...new Set(Object.values(folds))].map((fold) => [
      fold,
      unpackQuestionMap(read(nameOf(fold)) as PackedQuestionMap),
    ]),
  );
  return { of: (folder) => maps.get(folds[folder] ?? -1) };
}

/** @param folds Fold of each folder. */
export function writeFoldMaps(
  cache: string,
  folds: Readonly<Record<string, number>>,
  maps: readonly PackedQuestionMap[],
): void {
  const place = placeOf(cache);
  mkdirSync(place, { recursive: true });
  maps.forEach((map, fold) => writeFileSync(path.join(place, nameOf(fold)), JSON.stringify(map)));
  writeFileSync(path.join(place, FOLDS), JSON.stringify(folds));
}
