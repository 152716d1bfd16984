/** Where experiments find things, and what their programs are told on the command line of places. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository: one folder above this file, and above `dist/lab.cjs`, which holds it for `hoptrail eval`. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const modelsDir = path.join(root, 'models');
export const questionsDir = path.join(root, 'lab', 'questions');
/** What training keeps between its runs. */
const scratch = path.join(tmpdir(), 'hoptrail-training');

export const PLACES = {
  /** The question sets. */
  data: { type: 'string', default: process.env.HOPTRAIL_DATA ?? path.join(root, '..', 'shared', 'data') },
  /** Vectors, searches and checkouts that were made before. */
  cache: { type: 'string', default: scratch },
  /** Of the folders of lab/questions, one below it for each (lab/questions/index-folders.ts). */
  indexes: { type: 'string', default: path.join(scratch, 'indexes') },
} as const;
