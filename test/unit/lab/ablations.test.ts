import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { ABLATIONS, runAblations, type AblationRun } from '../../../lab/evaluation/ablations.ts';
import { DatasetError, type DatasetQuestion } from '../../../lab/evaluation/dataset.ts';
import { cooperative } from '../../doubles/model-scripts/cooperative.ts';
import { askedIn, promptKind } from '../../doubles/model-scripts/prompt-kind.ts';
import { BEDS, BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { cooperativeModel } from '../../doubles/recorded-run.ts';
import { datasetQuestion, engineOver } from './asked.ts';

const questions = [
  datasetQuestion({ id: 'born', question: BORN, answer: 'Narvik' }),
  datasetQuestion({ id: 'beds', question: BEDS, answer: 'yes' }),
];
const named = (...names: string[]) => ABLATIONS.filter(({ name }) => names.includes(name));

describe('ablations', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  /** A judge that is never content, so that every round is held. */
  const stubborn = (): ScriptedLanguageModel =>
    cooperativeModel({ judge: { json: { reason: 'They do not agree.', plan: ['single-step'], settled: false } } });

  const runWith = (model: ScriptedLanguageModel): AblationRun => ({
    engine: engineOver(relayRetriever(), 'comparison', { model }),
    setting: 'pooled',
    folder,
    askedHash: 'relay',
    seed: 1,
    signal: new AbortController().signal,
    now: () => 0,
  });

  it('change one thing at a time: what each asks of the model says so', async () => {
    const counts = async (name: string): Promise<Record<string, number>> => {
      const model = stubborn();
      await runAblations([questions[0] as DatasetQuestion], named(name), runWith(model));
      const kinds = model.calls.map(promptKind).filter((kind) => /judge|negative|affirmative|fast|slow/.test(kind));
      return Object.fromEntries(
        [...new Set(kinds)].sort().map((kind) => [kind, kinds.filter((one) => one === kind).length]),
      );
    };
    const full = await counts('full');
    const debaters = Object.keys(full).filter((kind) => !kind.startsWith('judge'));
    assert.equal(debaters.length, 4, JSON.stringify(full));
    for (const kind of [...debaters, 'judge']) assert.equal(full[kind], 2, `${kind}: two rounds`);
    const times = (rounds: number, kinds: string[]) => Object.fromEntries(kinds.map((kind) => [kind, rounds]));
    const all = Object.keys(full).sort();
    assert.deepEqual(await counts('rounds-1'), times(1, all));
    assert.deepEqual(await counts('rounds-3'), times(3, all));
    assert.equal(Object.keys(await counts('no-fast-debater')).length, all.length - 1);
    assert.equal(Object.keys(await counts('no-slow-debater')).length, all.length - 1);
    assert.equal((await counts('judge-soft-only'))['judge'], undefined);
    assert.equal((await counts('judge-hard-only'))['judge'], 2);
    assert.deepEqual(await counts('usual-plan'), {});
  });

  it('tell the debate no type where types are off, and ask no critic where that is off', async () => {
    const asked = async (name: string): Promise<string> => {
      const model = stubborn();
      await runAblations([questions[0] as DatasetQuestion], named(name), runWith(model));
      return model.calls.map(({ prompt }) => prompt).join('\n');
    };
    assert.match(await asked('full'), /Question \(comparison\): /);
    assert.doesNotMatch(await asked('no-types'), /Question \(/);
    const doubt = new ScriptedLanguageModel((call) =>
      promptKind(call) === 'answer' && askedIn(call) === BORN
        ? 'Because: He was born in Oslo. [1]\nAnswer: Oslo'
        : cooperative(call),
    );
    await runAblations([questions[0] as DatasetQuestion], named('no-critique'), runWith(doubt));
    assert.ok(!doubt.calls.some((call) => promptKind(call).startsWith('critique')));
  });

  it('come as one table with an interval for each figure, and each operator alone', async () => {
    const table = await runAblations(questions, ABLATIONS, runWith(new ScriptedLanguageModel(cooperative)));
    const rows = table.trimEnd().split('\n').slice(2);
    assert.deepEqual(
      rows.map((row) => row.split('|')[1]?.trim()),
      ABLATIONS.map(({ name }) => name),
    );
    for (const row of rows)
      assert.match(
        row,
        /^\| [a-zA-Z0-9-]+ \| 2 \| \d\.\d\d \[\d\.\d\d, \d\.\d\d\] \| [\d.]+ \[[\d.]+, [\d.]+\] \| \d+ \[\d+, \d+\] \|$/,
      );
    assert.match(table, /^\| only-single-step \| 2 \| 1\.00 /m);
    assert.match(table, /^\| only-chain-of-thought \| 2 \| 0\.00 /m);
    assert.equal(readFileSync(join(folder, 'ablations.md'), 'utf8'), table);
  });

  it('go on where they were cut off, and do not mix another data file in', async () => {
    const two = named('full', 'only-single-step');
    const first = new ScriptedLanguageModel(cooperative);
    const [half] = questions;
    assert.ok(half);
    await runAblations([half], two, runWith(first));
    const second = new ScriptedLanguageModel(cooperative);
    const table = await runAblations(questions, two, runWith(second));
    assert.ok(second.calls.length > 0 && second.calls.every(({ prompt }) => !prompt.includes(BORN)));
    const third = new ScriptedLanguageModel([]);
    assert.equal(await runAblations(questions, two, runWith(third)), table);
    await assert.rejects(
      runAblations(questions, two, { ...runWith(third), askedHash: 'another' }),
      (error: unknown) => error instanceof DatasetError,
    );
  });
});
