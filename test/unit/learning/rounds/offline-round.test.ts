import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { ArtifactSlot } from '../../../../src/learning/rounds/artifact-slot.ts';
import { jsonOnDisk, LearningFileError } from '../../../../src/base/line-file.ts';
import { OfflineRound, type LocalTrainer, type TrainerResult } from '../../../../src/learning/rounds/offline-round.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

/** A trainer of one number: how good it is on every question. What the product came with is worth 0.5. */
class NumberTrainer implements LocalTrainer {
  readonly least = 5;
  trained = 0;
  compared: unknown[] = [];
  constructor(
    readonly name: string,
    readonly worth: number,
    readonly count = 10,
    readonly failure?: Error,
  ) {}
  async examples(): Promise<number> {
    return this.count;
  }
  async train(signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.failure) throw this.failure;
    this.trained += 1;
    return { worth: this.worth };
  }
  async compare(artifacts: {
    before: unknown;
    after: unknown;
  }): Promise<{ id: string; before: number; after: number }[]> {
    this.compared.push(artifacts);
    const worth = (artifact: unknown): number => (artifact as { worth?: number } | undefined)?.worth ?? 0.5;
    return Array.from({ length: 12 }, (_, i) => ({
      id: String(i),
      before: worth(artifacts.before),
      after: worth(artifacts.after),
    }));
  }
}

describe('offline round', () => {
  let folder = '';
  const signal = new AbortController().signal;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const slot = (name: string): ArtifactSlot => new ArtifactSlot(jsonOnDisk(join(folder, `${name}.json`)));
  const open = (...trainers: LocalTrainer[]): OfflineRound =>
    new OfflineRound({
      trainers,
      slot,
      store: jsonOnDisk(join(folder, 'round.json')),
      now: () => 1,
      random: () => seededRandom(1),
    });
  const phases = (results: readonly TrainerResult[]): string[] =>
    results.map((result) => `${result.trainer} ${result.phase}`);

  it('loses nothing that two windows change at once', async () => {
    const [one, other] = [slot('pool'), slot('pool')];
    await one.propose('first');
    await one.promote();
    await one.propose('second');
    await Promise.all([one.promote(), other.revise((artifact) => `${String(artifact)}, revised`)]);
    assert.equal(await one.current(), 'second, revised');
    assert.ok(await other.stepBack());
    assert.equal(await one.current(), 'first, revised');
  });

  it('installs what wins, keeps what does not, skips what has too little, and goes on past a failure', async () => {
    const trainers = [
      new NumberTrainer('scorer', 0.8),
      new NumberTrainer('classifier', 0.4),
      new NumberTrainer('pool', 0.9, 2),
      new NumberTrainer('prior', 0.9, 10, new Error('singular')),
      new NumberTrainer('same', 0.5),
    ];
    const { results } = await open(...trainers).run(signal);
    assert.deepEqual(phases(results), [
      'scorer installed',
      'classifier kept',
      'pool skipped',
      'prior failed',
      'same kept',
    ]);
    assert.equal(results[3]?.problem, 'singular');
    assert.deepEqual(await slot('scorer').current(), { worth: 0.8 });
    assert.equal(await slot('classifier').current(), undefined);
    assert.equal(await slot('classifier').candidate(), undefined);
    assert.equal(results[0]?.verdict?.before, 0.5);
  });

  it('compares the next round with what is in use, and goes back one step', async () => {
    await open(new NumberTrainer('scorer', 0.7)).run(signal);
    const next = new NumberTrainer('scorer', 0.9);
    const round = open(next);
    await round.run(signal);
    assert.deepEqual(next.compared, [{ before: { worth: 0.7 }, after: { worth: 0.9 } }]);
    assert.ok(await round.stepBack('scorer'));
    assert.deepEqual(await slot('scorer').current(), { worth: 0.7 });
    assert.equal((await round.current())?.results[0]?.phase, 'stepped-back');
    assert.ok(!(await round.stepBack('scorer')), 'one step, not two');
  });

  it('goes on where it was interrupted, without training twice', async () => {
    const [first, second] = [new NumberTrainer('first', 0.8), new NumberTrainer('second', 0.8)];
    for (let i = 0; i < 4; i += 1) {
      // train, judge, train, judge
      const controller = new AbortController();
      await open(first, second)
        .run(controller.signal, () => controller.abort())
        .catch((error: unknown) => assert.equal((error as Error).name, 'AbortError'));
    }
    const state = await open(first, second).current();
    assert.deepEqual(phases(state?.results ?? []), ['first installed', 'second installed']);
    assert.deepEqual([first.trained, second.trained, first.compared.length], [1, 1, 1]);
  });

  it('goes on between verdict and use without judging or training again, whichever of the two was interrupted', async () => {
    for (const [name, worth, phase] of [
      ['won', 0.8, 'installed'],
      ['lost', 0.3, 'kept'],
    ] as const) {
      for (const done of [false, true]) {
        const trainer = new NumberTrainer(`${name}-${String(done)}`, worth);
        const weights = slot(trainer.name);
        /**
         * Stops the world when what the verdict says is about to be done, or has just been done and not been written
         * down.
         */
        const stopped = (work: () => Promise<void>) => async (): Promise<void> => {
          if (done) await work();
          throw new DOMException('killed', 'AbortError');
        };
        const killed = Object.assign(slot(trainer.name), {
          promote: stopped(() => weights.promote()),
          discard: stopped(() => weights.discard()),
        });
        const store = jsonOnDisk(join(folder, 'round.json'));
        const ports = { trainers: [trainer], store, now: () => 1, random: () => seededRandom(1) };
        await assert.rejects(new OfflineRound({ ...ports, slot: () => killed }).run(signal), { name: 'AbortError' });
        const between = (await open(trainer).current())?.results[0];
        assert.deepEqual(
          [between?.phase, between?.verdict?.wins],
          ['trained', name === 'won'],
          'the verdict is written before it is followed',
        );
        const { results } = await open(trainer).run(signal);
        assert.deepEqual(phases(results), [`${trainer.name} ${phase}`]);
        assert.deepEqual([trainer.trained, trainer.compared.length], [1, 1]);
        assert.deepEqual(await weights.current(), name === 'won' ? { worth } : undefined);
        assert.equal(await weights.candidate(), undefined);
      }
    }
  });

  it('steps back where the state of the round cannot be read', async () => {
    await open(new NumberTrainer('scorer', 0.8)).run(signal);
    await writeFile(join(folder, 'round.json'), '{"version":2}');
    assert.ok(await open().stepBack('scorer'));
    assert.equal(await slot('scorer').current(), undefined);
  });

  it('starts a new round after the last one ended', async () => {
    const trainer = new NumberTrainer('scorer', 0.8);
    await open(trainer).run(signal);
    await open(trainer).run(signal);
    assert.equal(trainer.trained, 2);
  });

  it('resets to what the product came with', async () => {
    await open(new NumberTrainer('scorer', 0.8)).run(signal);
    await slot('scorer').reset();
    assert.equal(await slot('scorer').current(), undefined);
  });

  it('names damage', async () => {
    await writeFile(join(folder, 'round.json'), '{"version":2}');
    await assert.rejects(open(new NumberTrainer('scorer', 1)).run(signal), LearningFileError);
    await writeFile(join(folder, 'scorer.json'), '{"version":2}');
    await assert.rejects(slot('scorer').current(), LearningFileError);
  });
});
