import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type PackedQuestionMap, QUESTION_MAP, type QuestionMap, readQuestionMap } from '#search/lab';

/**
 * Maps of questions that have not learnt from a folder, for what learns from that folder next: a map that saw its
 * questions finds their places far too well, and heads would trust it for more than it is worth.
 */
interface FoldMaps {
  /** Undefined for a folder from which no map has learnt: that which ships serves it. */
  of(folder: string): QuestionMap | undefined;
}

const placeOf = (cache: string): string => path.join(cache, 'question-maps');
const FOLDS = 'folds.json';
/** Each fold's map lies in a folder of its own, as that which ships lies beside its model. */
const folderOf = (cache: string, fold: number): string => path.join(placeOf(cache), `fold${fold}`);

/** @throws Error that names what makes them where there are none */
export function readFoldMaps(cache: string): FoldMaps {
  const file = path.join(placeOf(cache), FOLDS);
  if (!existsSync(file))
    throw new Error(`${placeOf(cache)} holds no maps of questions: npm run train:question-map makes them.`);
  const folds = z.record(z.string(), z.number().int()).parse(JSON.parse(readFileSync(file, 'utf8')));
  const maps = new Map(
    [...new Set(Object.values(folds))].map((fold) => [fold, readQuestionMap(folderOf(cache, fold))]),
  );
  return { of: (folder) => maps.get(folds[folder] ?? -1) };
}

/** @param folds Fold of each folder. */
export function writeFoldMaps(
  cache: string,
  folds: Readonly<Record<string, number>>,
  maps: readonly PackedQuestionMap[],
): void {
  maps.forEach((map, fold) => {
    mkdirSync(folderOf(cache, fold), { recursive: true });
    writeFileSync(path.join(folderOf(cache, fold), QUESTION_MAP), JSON.stringify(map));
  });
  writeFileSync(path.join(placeOf(cache), FOLDS), JSON.stringify(folds));
}
