import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeUnits, type JointEncoder, type ReadSentence } from '#search/lab';

/** What a question finds at most: all of it is read, and as much of that is used as an experiment asks for. */
const ALL_FOUND = 8;

/** Units as the joint encoder reads them, a question's kept in one file: heads are trained again without inference. */
export class CachedUnits {
  private readonly encoder: JointEncoder;
  private readonly folder: string;

  /** @param network The encoder's file: another network is asked anew. */
  constructor(encoder: JointEncoder, cache: string, network: string) {
    this.encoder = encoder;
    this.folder = path.join(
      cache,
      'encoded',
      createHash('sha256').update(readFileSync(network)).digest('hex').slice(0, 12),
    );
    mkdirSync(this.folder, { recursive: true });
  }

  async read(question: string, units: readonly ReadSentence[], worth: readonly number[]): Promise<ReadSentence[]> {
    const asked = JSON.stringify([
      question,
      ...units.map(({ profile, sentence }, i) => [
        profile.passage.contentHash,
        sentence.start,
        sentence.end,
        (worth[i] ?? 0).toFixed(4),
      ]),
    ]);
    const file = path.join(this.folder, `${createHash('sha256').update(asked).digest('hex')}.json`);
    if (!existsSync(file)) {
      // What is kept must not depend on how fast this machine is: its clock stands still.
      const read = await encodeUnits(question, units, worth, this.encoder, undefined, () => 0, ALL_FOUND);
      writeFileSync(file, JSON.stringify(read.map((encoded) => encoded ?? null)));
    }
    const known = JSON.parse(readFileSync(file, 'utf8')) as (ReadSentence['encoded'] | null)[];
    return units.map((unit, i) => ({ ...unit, encoded: known[i] ?? undefined }));
  }

  close(): Promise<void> {
    return this.encoder.close();
  }
}
