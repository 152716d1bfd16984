import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '#base';
import {
  encodePassages,
  type JointEncoder,
  passagesOfBest,
  readAlone,
  type ReadSentence,
  worthReadingAlone,
} from '#search/lab';

/** Units as the joint encoder reads them, a passage's kept in one file: heads are trained again without inference. */
export class CachedUnits {
  /** The encoder itself, which keeps nothing in files. */
  readonly joint: JointEncoder;
  /** Of its file: another network is asked anew. */
  readonly network: string;
  readonly #folder: string;

  /** @param network The encoder's file. */
  constructor(encoder: JointEncoder, cache: string, network: string) {
    this.joint = encoder;
    this.network = hashOf(readFileSync(network), 12);
    this.#folder = path.join(cache, 'encoded', this.network);
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
    for (const i of worthReadingAlone(
      read.map((unit) => unit.encoded),
      worth,
    )) {
      const unit = read[i];
      if (unit?.encoded) unit.encoded = { ...unit.encoded, alone: await this.#alone(question, unit) };
    }
    return read;
  }

  async #alone(question: string, unit: ReadSentence): Promise<Awaited<ReturnType<typeof readAlone>>> {
    const { path: file, title } = unit.profile.passage;
    const asked = JSON.stringify([question, file, title, unit.context?.text, unit.text]);
    return this.#kept(asked, () => readAlone(question, unit, this.joint));
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
    return this.#kept(asked, async () => {
      const alike = units.map(() => 1);
      const read = await encodePassages(question, units, alike, 1, this.joint);
      return read.map((encoded) => encoded ?? null);
    });
  }

  /** What was made of this once; written as a whole, as another run may read the same at that time. */
  async #kept<T>(asked: string, make: () => Promise<T>): Promise<T> {
    const name = path.join(this.#folder, `${hashOf(asked)}.json`);
    if (!existsSync(name)) {
      writeFileSync(`${name}.${process.pid}`, JSON.stringify(await make()));
      renameSync(`${name}.${process.pid}`, name);
    }
    return JSON.parse(readFileSync(name, 'utf8')) as T;
  }

  close(): Promise<void> {
    return this.joint.close();
  }
}
