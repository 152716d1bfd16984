import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeUnits, type JointEncoder, passagesOfBest, type ReadSentence } from '#search/lab';

/** Units as the joint encoder reads them, a passage's kept in one file: heads are trained again without inference. */
export class CachedUnits {
  readonly #encoder: JointEncoder;
  readonly #folder: string;

  /** @param network The encoder's file: another network is asked anew. */
  constructor(encoder: JointEncoder, cache: string, network: string) {
    this.#encoder = encoder;
    this.#folder = path.join(
      cache,
      'encoded',
      createHash('sha256').update(readFileSync(network)).digest('hex').slice(0, 12),
    );
    mkdirSync(this.#folder, { recursive: true });
  }

  /** @param most So many passages of the best units are read. */
  async read(
    question: string,
    units: readonly ReadSentence[],
    worth: readonly number[],
    most: number,
  ): Promise<ReadSentence[]> {
    const read = units.map((unit) => ({ ...unit, encoded: undefined as ReadSentence['encoded'] }));
    for (const passage of passagesOfBest(units, worth).slice(0, most)) {
      const own = read.filter(({ profile }) => profile === passage);
      const known = await this.#known(question, own);
      own.forEach((unit, i) => (unit.encoded = known[i] ?? undefined));
    }
    return read;
  }

  async #known(question: string, units: readonly ReadSentence[]): Promise<(ReadSentence['encoded'] | null)[]> {
    const { contentHash, path: file, title } = units[0]?.profile.passage ?? {};
    const asked = JSON.stringify([
      question,
      contentHash,
      file,
      title,
      units.map(({ sentence: { start, end } }) => [start, end]),
    ]);
    const name = path.join(this.#folder, `${createHash('sha256').update(asked).digest('hex')}.json`);
    if (!existsSync(name)) {
      // What is kept must not depend on how fast this machine is: its clock stands still.
      const alike = units.map(() => 1);
      const read = await encodeUnits(question, units, alike, this.#encoder, undefined, () => 0, 1);
      writeFileSync(name, JSON.stringify(read.map((encoded) => encoded ?? null)));
    }
    return JSON.parse(readFileSync(name, 'utf8')) as (ReadSentence['encoded'] | null)[];
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }
}
