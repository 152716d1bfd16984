import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { FineTuningError } from '../../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { openLearning, type Learning } from '../../../../src/learning/open-learning.ts';
import { readFacts } from '../../../../src/vscode/learned/learning-report.ts';
import { type FeedbackExample, FeedbackStore } from '../../../../src/vscode/threads/feedback-store.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const { LearningService } = await import('../../../../src/vscode/learned/learning-service.ts');

describe('the facts on what was learnt', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const open = (): Learning => openLearning({ folder, modelsDir: 'models', now: () => 1, onProblem: () => undefined });
  const none = async (): Promise<undefined> => undefined;
  const judgements = (): Promise<FeedbackExample[]> => new FeedbackStore(folder).list();

  it('are told as far as they can be read, with what cannot; and are all there again after everything is deleted', async () => {
    await writeFile(path.join(folder, 'offline-round.json'), '{"version":7}');
    await writeFile(path.join(folder, 'learnt-chain-scorer.json'), '{"version":');
    const { damaged, round, inUse, learnt, fineTuning } = await readFacts(
      open(),
      async () => {
        throw new FineTuningError('The state of the round of fine-tuning cannot be read.');
      },
      judgements,
    );
    assert.deepEqual([round, inUse, fineTuning, learnt.experience.runs], [undefined, [], undefined, 0]);
    assert.deepEqual(damaged.map((problem) => problem.replace(folder + path.sep, '')).sort(), [
      'The state of the learning round cannot be read.',
      'The state of the round of fine-tuning cannot be read.',
      'learnt-chain-scorer.json is damaged: it holds no JSON.',
    ]);
    await open().reset();
    assert.deepEqual((await readFacts(open(), none, judgements)).damaged, []);
  });

  it('are told where even the records cannot be read', async () => {
    const learning = open();
    const { damaged, learnt } = await readFacts(
      {
        ...learning,
        report: async () => {
          throw new Error('experience.jsonl cannot be read');
        },
      },
      none,
      judgements,
    );
    assert.deepEqual([damaged, learnt.experience.bytes], [['experience.jsonl cannot be read'], 0]);
  });

  it('are told where the judgements of a workspace cannot be read', async () => {
    await mkdir(path.join(folder, 'feedback.jsonl'));
    const service = new LearningService({ learning: open }, {} as vscode.LogOutputChannel, new FeedbackStore(folder));
    const { damaged, judgements: told } = await service.report();
    assert.match(damaged?.join() ?? '', /^EISDIR/);
    assert.deepEqual(told, { up: 0, down: 0, rejectedPassages: 0 });
  });
});
