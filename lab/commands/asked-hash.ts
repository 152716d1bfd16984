import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What an evaluation asks, and of what. */
export interface Asked {
  /** File of questions. */
  data: string;
  corpus?: string;
  workspace?: string;
  trees?: string;
  /** Embeds passages in place of the bundled model. */
  embedderFolder?: string;
}

/**
 * Hash of the questions and of the places that are searched: records of others are not mixed in. What those places hold
 * is not read: who changes it names another file of records.
 */
export function askedHash({ data, corpus, workspace, trees, embedderFolder }: Asked): string {
  const places = [corpus, workspace, trees, embedderFolder].map((place) => place && resolve(place));
  return createHash('sha256').update(readFileSync(data)).update(JSON.stringify(places)).digest('hex');
}
