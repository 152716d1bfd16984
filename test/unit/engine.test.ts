import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { createEngine, type Engine, type IndexProcess } from '../../src/engine.ts';
import type { LanguageModel } from '../../src/research/language-model/language-model.ts';
import type { IndexState } from '../../src/search/domain/index-state.ts';
import { openLearning, type Learning } from '../../src/learning/open-learning.ts';
import { cooperative } from '../doubles/model-scripts/cooperative.ts';
import { BORN, relayRetriever } from '../doubles/relay-corpus.ts';
import { ScriptedLanguageModel } from '../doubles/scripted-language-model.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';

const HERE = { id: 'openai:a@one.test', endpoint: 'https://one.test/v1' };
const LEARNT = 'Who painted the lighthouse of a secret project?';

describe('the engine, and what is learnt', () => {
  let folder = '';
  let learning: Learning;
  beforeEach(() => {
    folder = temporaryFolder();
    learning = openLearning({
      folder,
      modelsDir: 'models',
      now: () => 1,
      onProblem: (error) => {
        throw error;
      },
    });
  });

  const opened = { phase: 'ready', embedderId: 'bundled/q8' } as IndexState;
  const engineWith = (model: LanguageModel | undefined): Engine =>
    createEngine({
      indexProcess: {
        index: {
          open: async () => opened,
          state: async () => opened,
          report: async () => ({ files: [] }),
        } as unknown as IndexProcess['index'],
        retriever: relayRetriever(),
        onState: () => () => undefined,
        dispose: async () => undefined,
      },
      model,
      learning,
      now: () => 1,
      newId: () => 'run-1',
      classifier: () => ({
        classify: async () => ({ type: 'inference', probabilities: { inference: 1 }, classifier: 'fixed' }),
      }),
    });
  /** `own`: the engine's model, where it is not the one that is asked. */
  const ask = async (model: ScriptedLanguageModel, own = model): Promise<ScriptedLanguageModel> => {
    const engine = engineWith(own);
    await engine.index.open({
      roots: [],
      indexUri: '',
      embedder: { kind: 'bundled' },
      excludeGlobs: [],
      useGitignore: false,
      maxFileBytes: 1,
    });
    for await (const event of engine.research({ text: BORN, history: [] }, { operator: 'sub-step' }, undefined, {
      model,
    }))
      if (event.type === 'run-error') throw new Error(event.error.message);
    await learning.settled();
    return model;
  };

  it('notes who has read a run', async () => {
    await ask(new ScriptedLanguageModel(cooperative, HERE));
    const records = await learning.experience.list();
    assert.ok(records.length > 4);
    assert.ok(
      records.every(
        ({ source }) =>
          source.model === HERE.id && source.endpoint === HERE.endpoint && source.embedder === 'bundled/q8',
      ),
    );
  });

  it('asks another model than its own in a run that names one', async () => {
    const own = new ScriptedLanguageModel([], { id: 'openai:own', endpoint: 'https://own.test/v1' }); // fails when asked
    const asked = await ask(new ScriptedLanguageModel(cooperative, HERE), own);
    assert.ok(asked.calls.length > 0);
    assert.equal(own.calls.length, 0);
    const readers = (await learning.experience.list()).map(({ source }) => [source.model, source.embedder]);
    assert.deepEqual([...new Set(readers.map(String))], [`${HERE.id},bundled/q8`]);
  });

  it('shows how an earlier run was split to the model that has read it, and to no other', async () => {
    const [step, answer] = ['Who painted the lighthouse?', 'Ada Fell'];
    const records = [step, null].map((next, i) => ({
      kind: 'decomposition',
      version: 1,
      id: `split-${i}`,
      runQuestion: LEARNT,
      source: {
        runId: 'earlier',
        stepId: null,
        time: i,
        model: HERE.id,
        endpoint: HERE.endpoint,
        embedder: 'bundled/q8',
      },
      outcome: ['citations', 'thumb'],
      consent: 'local',
      history: i === 0 ? [] : [{ question: step, answer }],
      rejected: [],
      next,
    }));
    await writeFile(join(folder, 'experience.jsonl'), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const shown = ({ calls }: ScriptedLanguageModel): string[] =>
      calls
        .flatMap(({ messages }) => messages.map(({ content }) => content))
        .filter((content) => content.includes('secret project'));
    assert.deepEqual(shown(await ask(new ScriptedLanguageModel(cooperative, HERE))), [LEARNT]);
    for (const other of [
      { ...HERE, endpoint: 'https://two.test/v1' },
      { ...HERE, id: 'openai:b@one.test' },
      { id: HERE.id },
    ])
      assert.deepEqual(shown(await ask(new ScriptedLanguageModel(cooperative, other))), []);
  });
});
