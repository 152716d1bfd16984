import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { jsonOnDisk } from '../../../../src/base/index.ts';
import { type ExpandedQuestion, MadeQuestions } from '../../../../src/learning/rounds/expand-questions.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('questions that rounds have made', () => {
  let folder: string;
  let problems: unknown[];
  beforeEach(() => {
    folder = temporaryFolder();
    problems = [];
  });

  const ofOneWindow = (): MadeQuestions =>
    new MadeQuestions(jsonOnDisk(join(folder, 'made-questions.json')), (error) => problems.push(error));
  const made = (question: string): ExpandedQuestion => ({
    question,
    answer: 'Mara',
    passageIds: ['kestrel', 'mara'],
    by: 'template',
  });
  const kept = async (): Promise<string[]> =>
    (await ofOneWindow().over(new Set(['kestrel', 'mara']))).map(({ question }) => question).sort();

  it('are all kept where several windows add some at once', async () => {
    const questions = ['Who keeps Kestrel Hut?', 'Who repaired the relay?', 'Who bought the rope?'];
    await Promise.all(questions.map((question, round) => ofOneWindow().add(round, [made(question)])));
    assert.deepEqual(await kept(), questions.sort());
    assert.deepEqual(problems, []);
  });

  it('are not replaced where they can be read and some cannot be added', async () => {
    const saved: unknown[] = [];
    const full = new MadeQuestions(
      {
        load: () => Promise.resolve({ version: 1, lots: [{ round: 0, questions: [made('Who keeps Kestrel Hut?')] }] }),
        change: () => Promise.reject(new Error('The disk is full.')),
        save: (value) => Promise.resolve(void saved.push(value)),
      },
      (error) => problems.push(error),
    );
    await assert.rejects(full.add(1, [made('Who bought the rope?')]), /disk is full/);
    assert.deepEqual(saved, []);
  });

  it('are written anew where the file is damaged, which is told', async () => {
    writeFileSync(join(folder, 'made-questions.json'), '{"version":1,"lots":[{');
    await ofOneWindow().add(1, [made('Who keeps Kestrel Hut?')]);
    assert.deepEqual(await kept(), ['Who keeps Kestrel Hut?']);
    assert.equal(problems.length, 1);
  });
});
