import type { Passage } from '../../model/passage.ts';
import type { RecordedPassage } from '../node-record.ts';

/** Passages as a record keeps them: what the node saw, without what only the index needs. */
export const recordedPassages = (passages: readonly Passage[]): RecordedPassage[] =>
  passages.map(({ id, path, startLine, endLine, title, text }) => ({ id, path, startLine, endLine, title, text }));
