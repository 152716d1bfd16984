/**
 * Fine-tuning from the command line, against a server that behaves like the service: the built file, real files on
 * disk.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ExperienceStore } from '../../src/learning/experience/experience-store.ts';
import { fileOnDisk } from '../../src/base/line-file.ts';
import { FakeFineTuningServer, SPLITS_ALIKE } from '../doubles/fake-fine-tuning-server.ts';
import { type CliRun, runHoptrail } from '../doubles/run-hoptrail.ts';
import { taughtBy } from '../unit/learning/experience/run-records.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';

const BASE = 'gpt-4o-mini-2024-07-18';

interface Round {
  phase: string;
  newModel?: string;
  estimate: { examples: number; heldOut: number; tokens: number; cost?: number };
  verdict?: { wins: boolean; before: number; after: number };
  problem?: string;
}

describe('hoptrail fine-tune', function () {
  this.timeout(120_000);
  let home: string;
  let server: FakeFineTuningServer;
  /** What the model that was fine-tuned says; the base knows nothing. */
  let trained: (prompt: string) => string;

  beforeEach(async () => {
    home = temporaryFolder();
    trained = (prompt) =>
      prompt.includes('Split the question')
        ? JSON.stringify({ questions: [`Where is rope ${/Question (\d+)\?$/.exec(prompt)?.[1]} bought?`] })
        : prompt.includes('next')
          ? '{"question": "Where is rope bought?"}'
          : prompt.includes('verdict')
            ? '{"reason": "A step forward.", "verdict": "keep"}'
            : 'Answer: Tallinn [1]';
    server = await FakeFineTuningServer.start({
      key: 'secret',
      course: ['queued', 'succeeded'],
      chat: ({ model, messages }) => {
        const prompt = messages.map((message) => message.content).join('\n');
        if (prompt.includes('two ways to split a question')) return SPLITS_ALIKE;
        return model.startsWith('ft:') ? trained(prompt) : 'I do not know.';
      },
    });
    const experience = new ExperienceStore(fileOnDisk(join(home, 'hoptrail', 'learning', 'experience.jsonl')));
    await experience.add(taughtBy(60, (i) => `Where is rope ${i} bought?`));
  });
  afterEach(() => server.stop());

  const hoptrail = (...args: string[]): Promise<CliRun> =>
    runHoptrail(args, { XDG_CACHE_HOME: home, HOPTRAIL_BASE_URL: server.baseUrl, HOPTRAIL_API_KEY: 'secret' });
  async function round(...args: string[]): Promise<Round> {
    const { code, out, err } = await hoptrail('fine-tune', ...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out) as Round;
  }
  /** As somebody types it who named the service once, with the round. */
  const unnamed = (...args: string[]): Promise<CliRun> =>
    runHoptrail(['fine-tune', ...args], { XDG_CACHE_HOME: home, HOPTRAIL_BASE_URL: '', HOPTRAIL_API_KEY: 'secret' });
  const stands = (): string => join(home, 'hoptrail', 'learning', 'fine-tuned-model.json');

  it('sends nothing before a person agrees, switches to a model that wins, and steps back', async () => {
    assert.deepEqual(await unnamed('status'), { code: 0, out: 'There has been no round of fine-tuning.\n', err: '' });
    const prepared = await round('prepare', '--model', BASE, '--price', '3');
    assert.equal(prepared.phase, 'prepared');
    assert.ok(prepared.estimate.examples > 10 && prepared.estimate.heldOut > 0 && (prepared.estimate.cost ?? 0) > 0);
    const refused = await unnamed('run');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /nobody has agreed/);
    assert.deepEqual(server.requests, [], 'nothing has left the machine');
    const ran = await unnamed('run', '--agree', '--json');
    const done = JSON.parse(ran.out) as Round;
    assert.equal(done.phase, 'switched', ran.err);
    assert.ok(done.verdict?.wins && done.verdict.after > done.verdict.before);
    assert.equal((JSON.parse(readFileSync(stands(), 'utf8')) as { model: string }).model, done.newModel);
    assert.equal(server.files.size, 0, 'the examples are deleted at the service');
    assert.match((await unnamed('status')).out, /^switched: /);
    assert.equal((await round('step-back')).phase, 'stepped-back');
    assert.ok(!existsSync(stands()));
  });

  it('keeps the old model when the new one does not win, and says what is wrong with its input', async () => {
    trained = () => 'I do not know.';
    await round('prepare', '--model', BASE);
    const done = await round('run', '--agree');
    assert.equal(done.phase, 'kept');
    assert.ok(!existsSync(stands()));
    for (const [args, said] of [
      [['prepare'], /model to start from is not named/],
      [['prepare', '--model', BASE, '--loss', '1,2'], /not three weights/],
      [['prepare', '--model', BASE, '--price', '-3'], /"-3" is not a number from 0/],
      [['begin'], /Allowed choices/],
    ] as const) {
      const { code, err } = await hoptrail('fine-tune', ...args);
      assert.equal(code, 2, err);
      assert.match(err, said);
    }
  });

  it('forgets a round whose service is gone, and what was learnt can be reset then', async () => {
    await round('prepare', '--model', BASE);
    await server.stop();
    assert.notEqual((await hoptrail('fine-tune', 'run', '--agree')).code, 0);
    const cancelled = await hoptrail('fine-tune', 'cancel');
    assert.notEqual(cancelled.code, 0);
    assert.match(
      cancelled.err,
      /could not be cancelled\. It can be forgotten on this machine with `hoptrail fine-tune forget`; what lies at 127\.0\.0\.1:\d+ then stays there/,
    );
    const kept = await hoptrail('learning', '--reset');
    assert.notEqual(kept.code, 0);
    assert.match(kept.err, /hoptrail fine-tune forget/);
    const forgotten = await round('forget', '--base-url', 'http://elsewhere.test/v1');
    assert.equal(forgotten.phase, 'cancelled');
    assert.match(
      forgotten.problem ?? '',
      /^The round was forgotten here; what lies at 127\.0\.0\.1:\d+ stays there\.$/,
    );
    const reset = await hoptrail('learning', '--reset');
    assert.equal(reset.code, 0, reset.err);
    const none = await hoptrail('fine-tune', 'forget');
    assert.equal(none.code, 2);
    assert.match(none.err, /no round of fine-tuning to forget/);
  });
});
