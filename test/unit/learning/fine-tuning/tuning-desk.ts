import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'mocha';
import { seededRandom } from '../../../../src/base/numbers.ts';
import type { HeldOutLines } from '../../../../src/learning/fine-tuning/compare-models.ts';
import { ExperienceStore } from '../../../../src/learning/experience/experience-store.ts';
import {
  FineTuning,
  type FineTuningPorts,
  type RoundRequest,
} from '../../../../src/learning/fine-tuning/fine-tuning.ts';
import type { ScoredPair } from '../../../../src/learning/fine-tuning/gate.ts';
import type { LearningRound } from '../../../../src/learning/fine-tuning/learning-round.ts';
import { fileOnDisk, jsonOnDisk } from '../../../../src/base/line-file.ts';
import { openAiFineTuning } from '../../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { FakeFineTuningServer, type FakeFineTuningOptions } from '../../../doubles/fake-fine-tuning-server.ts';
import { taughtBy } from '../experience/run-records.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

export const BASE = 'gpt-4o-mini-2024-07-18';
export const REQUEST: RoundRequest = { baseModel: BASE, price: { perMillion: 3, currency: 'USD' } };
export const better = (n = 30): ScoredPair[] =>
  Array.from({ length: n }, (_, i) => ({ id: String(i), before: 0.4, after: i % 5 === 0 ? 0.3 : 0.7 }));

/** A folder, the records of twelve runs and a service, for rounds of fine-tuning: made anew for every test. */
export class TuningDesk {
  folder = '';
  experience!: ExperienceStore;
  /** The model that answers where the base model is named. */
  inUse = BASE;
  compared: { before: string; after: string; heldOut: HeldOutLines }[] = [];
  slept = 0;
  #server: FakeFineTuningServer | undefined;

  get server(): FakeFineTuningServer {
    assert.ok(this.#server);
    return this.#server;
  }

  async begin(): Promise<void> {
    this.folder = temporaryFolder();
    this.experience = new ExperienceStore(fileOnDisk(join(this.folder, 'experience.jsonl')));
    this.inUse = BASE;
    this.compared = [];
    this.slept = 0;
    await this.experience.add(taughtBy(12, (i) => `Sub ${i}?`));
  }

  async stopServer(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Another round at another service. */
  async startOver(): Promise<void> {
    await rm(join(this.folder, 'round.json'));
    await this.stopServer();
  }

  /** As after a start of the program: everything that is known comes from disk and from the server. */
  async open(options: FakeFineTuningOptions = {}, change: Partial<FineTuningPorts> = {}): Promise<FineTuning> {
    this.#server ??= await FakeFineTuningServer.start(options);
    const { baseUrl } = this.#server;
    const clock = {
      now: () => 1000,
      sleep: async (_: number, signal?: AbortSignal) => {
        signal?.throwIfAborted();
        this.slept += 1;
      },
    };
    return new FineTuning({
      baseUrl,
      api: openAiFineTuning(
        { baseUrl, apiKey: async () => 'key' },
        { clock, random: () => 0, retry: { attempts: 2, base: 1, cap: 1, longestRetryAfter: 1000 } },
      ),
      experience: this.experience,
      store: jsonOnDisk(join(this.folder, 'round.json')),
      clock,
      newId: () => 'round-1',
      random: seededRandom(1),
      compare: async (models) => {
        this.compared.push(models);
        return better();
      },
      model: {
        current: () => this.inUse,
        use: async (model) => {
          this.inUse = model;
        },
      },
      ...change,
    });
  }

  /** The same, where a round has been agreed to. */
  async openAgreed(options: FakeFineTuningOptions = {}): Promise<FineTuning> {
    const tuning = await this.open(options);
    await tuning.prepare(REQUEST);
    await tuning.agree();
    return tuning;
  }

  async run(tuning: FineTuning, request = REQUEST): Promise<LearningRound> {
    await tuning.prepare(request);
    await tuning.agree();
    return tuning.run(new AbortController().signal);
  }
}

export function useTuningDesk(): TuningDesk {
  const desk = new TuningDesk();
  beforeEach(() => desk.begin());
  afterEach(() => desk.stopServer());
  return desk;
}
