/**
 * RISE's rounds from the command line, against a server that behaves like a model: the built file, a real index, real
 * files on disk.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { fileOnDisk } from '../../src/base/line-file.ts';
import { deriveRecords } from '../../src/learning/experience/derive-records.ts';
import type { ExperienceRecord } from '../../src/learning/experience/experience-record.ts';
import { ExperienceStore } from '../../src/learning/experience/experience-store.ts';
import { openAiModel } from '../../src/research/language-model/openai-model.ts';
import { FakeOpenAiServer } from '../doubles/fake-openai-server.ts';
import { selfTeacher } from '../doubles/model-scripts/self-teacher.ts';
import { type CliRun, runHoptrail } from '../doubles/run-hoptrail.ts';
import { ending, node } from '../unit/learning/experience/run-records.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

const MODEL = 'self-teacher';
const MADE = 8;
/** Of these the split leaves ten to train with, the least that a round takes, and six to compare on. */
const EARLIER = 16;
/** Two rounds of at most four calls a question and 160 to compare, and fifteen for each question between them. */
const MOST_CALLS = 2 * (MADE * 4 + 160) + MADE * 15;

interface Made {
  question: string;
  answer: string;
  passageIds: [string, string];
  by: string;
}

/** What one line says of a trainer. */
interface Outcome {
  line: string;
  examples: number;
  before: number;
  after: number;
  heldOut: number;
}

describe('hoptrail learn --rounds 2 --with-model', function () {
  this.timeout(600_000);
  let home: string;
  let server: FakeOpenAiServer;
  let out: string;
  let err: string;
  let lots: { questions: Made[] }[];
  let records: ExperienceRecord[];

  before(async () => {
    home = temporaryFolder();
    server = await FakeOpenAiServer.start({ replies: selfTeacher() });
    cpSync(join(root, 'examples', 'notes'), join(home, 'notes'), { recursive: true });
    const learning = join(home, 'hoptrail', 'learning');
    const store = new ExperienceStore(fileOnDisk(join(learning, 'experience.jsonl')));
    await store.add(earlierSplits());
    ({ out, err } = await hoptrail('learn', join(home, 'notes'), '--made', `${MADE}`, '--rounds', '2', '--with-model'));
    const made = readFileSync(join(learning, 'made-questions.json'), 'utf8');
    ({ lots } = JSON.parse(made) as { lots: { questions: Made[] }[] });
    records = JSON.parse((await hoptrail('learning', '--list', '--json')).out) as ExperienceRecord[];
  });
  after(async () => {
    await server.stop();
  });

  /** Questions of this model's earlier runs, as they were split: enough for a round to choose examples from. */
  function earlierSplits(): ExperienceRecord[] {
    const { id, endpoint } = openAiModel({ baseUrl: server.baseUrl, model: MODEL, apiKey: async () => undefined });
    return Array.from({ length: EARLIER }, (_, i) => {
      const run = { runId: `earlier-${i}`, question: `Who wed the builder of chapel ${i}?`, model: id };
      const built = { question: `Who built chapel ${i}?`, answer: 'Tallinn' };
      const wed = 'Who wed Tallinn?';
      return deriveRecords(
        [
          node('s1', { ...run, subQuestion: built.question, time: 1 }),
          node('s2', { ...run, subQuestion: wed, history: [built], time: 2 }),
          ending({ ...run, history: [built, { question: wed, answer: 'Tallinn' }], time: 3 }),
        ],
        {},
      )
        .records.filter(({ kind }) => kind === 'decomposition')
        .map((record) => ({ ...record, source: { ...record.source, endpoint } }));
    }).flat();
  }

  async function hoptrail(...args: string[]): Promise<CliRun> {
    const env = { XDG_CACHE_HOME: home, HOPTRAIL_BASE_URL: server.baseUrl, HOPTRAIL_MODEL: MODEL };
    const run = await runHoptrail(args, env);
    assert.equal(run.code, 0, `hoptrail ${args.join(' ')}: ${run.err}`);
    return run;
  }

  /** A trainer's outcomes, one a round. */
  const outcomes = (trainer: string): Outcome[] =>
    out
      .split('\n')
      .filter((line) => line.startsWith(`${trainer}: `))
      .map((line) => {
        const number = (pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? Number.NaN);
        return {
          line,
          examples: number(/from (\d+) examples/),
          before: number(/([\d.]+) before/),
          after: number(/([\d.]+) after/),
          heldOut: number(/on (\d+) held-out/),
        };
      });
  const answered = (): { asked: number; right: number; teach: number } => {
    const said =
      /^Round 1 of 2: (\d+) made questions were asked, (\d+) answered right, (\d+) of them teach the next\.$/m.exec(
        err,
      );
    assert.ok(said, err);
    return { asked: Number(said[1]), right: Number(said[2]), teach: Number(said[3]) };
  };

  it('says how often the model is asked at most, and keeps to it', () => {
    const { host } = new URL(server.baseUrl);
    assert.ok(err.includes(`With ${MODEL} at ${host}: at most ${MOST_CALLS} calls. `), err);
    const calls = server.requests.filter(({ path }) => path === '/v1/chat/completions').length;
    assert.ok(calls > 0 && calls <= MOST_CALLS, String(calls));
  });

  it('makes questions by the model in either round, and none twice', () => {
    assert.equal(lots.length, 2);
    const made = lots.flatMap(({ questions }) => questions);
    for (const { questions } of lots) assert.ok(questions.length > 0 && questions.length <= MADE);
    assert.ok(made.every(({ by }) => by === 'model'));
    assert.equal(new Set(made.map(({ question }) => question)).size, made.length);
  });

  it('asks what the first round has made between the rounds, once', () => {
    const { asked, right, teach } = answered();
    assert.equal(asked, lots[0]?.questions.length);
    assert.ok(teach > 0 && teach <= right, err);
    assert.equal(err.match(/were asked/g)?.length, 1);
  });

  it('keeps what those runs teach whose answer is the known one, with the passage that it was made from', () => {
    const made = new Map(lots[0]?.questions.map((one) => [one.question, one]));
    const taught = records.filter(({ source }) => !source.runId.startsWith('earlier-'));
    assert.ok(taught.length > 0);
    const right = new Set<string>();
    for (const { runQuestion, outcome, source } of taught) {
      assert.ok(made.has(runQuestion), runQuestion);
      assert.deepEqual(outcome, ['citations', 'gold'], runQuestion);
      assert.equal(source.endpoint?.replace(/\/$/, ''), server.baseUrl, `${runQuestion}: ${JSON.stringify(source)}`);
      right.add(runQuestion);
    }
    assert.equal(right.size, answered().teach, err);
    for (const question of right) {
      const own = taught.filter(({ runQuestion }) => runQuestion === question);
      const whole = own.find((record) => record.kind === 'reading' && record.question === question);
      assert.ok(whole?.kind === 'reading', question);
      assert.equal(whole.answer, made.get(question)?.answer, question);
      assert.ok(whole.passageIds.includes(made.get(question)?.passageIds[1] ?? ''), question);
      assert.ok(own.some((record) => record.kind === 'decomposition' && record.next === null));
    }
  });

  it('goes on in the second round from what the first has learnt, with what was answered since', () => {
    const [first, second] = outcomes('example-pool');
    assert.ok(first && second, out);
    assert.match(first.line, /: in use: it won; /);
    assert.ok(first.before < first.after, first.line);
    assert.match(second.line, /: the old one stays: /);
    assert.ok(second.before > first.before, 'what it is held against is what the first round put to use');
    assert.equal(second.examples + second.heldOut, first.examples + first.heldOut + answered().teach, out);
    const [trails, more] = outcomes('chain-scorer');
    assert.ok(trails && more && more.examples > trails.examples, out);
  });

  it('leaves the winner in use', async () => {
    assert.match((await hoptrail('learning')).out, /example-pool/);
  });
});
