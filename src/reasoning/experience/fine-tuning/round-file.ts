import { join } from 'node:path';
import { jsonOnDisk } from '../line-file.ts';
import { readRound, type LearningRound } from './learning-round.ts';

/** Where the last round of fine-tuning is kept, in the folder of what is learnt. */
export const roundFile = (folder: string): ReturnType<typeof jsonOnDisk> => jsonOnDisk(join(folder, 'fine-tuning.json'));

/** The last round of fine-tuning; undefined when there was none. @throws FineTuningError when it cannot be read */
export const storedRound = async (folder: string): Promise<LearningRound | undefined> => readRound(await roundFile(folder).load());
