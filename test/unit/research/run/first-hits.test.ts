import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SearchOptions } from '../../../../src/search/retrieval/retriever.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';
import { settled, until } from '../../../doubles/waiting.ts';

const passages = Array.from({ length: 7 }, (_, i) =>
  notePassage(`rope-${i}`, 'Rope', `Rope ${i} is bought in Tallinn.`),
);
const question = 'Where is rope bought?';
const options = { firstHits: true };

/** Says what it was searched for, and does with the search what a test wants. */
class WatchedRetriever extends ScriptedRetriever {
  readonly searches: { query: string; options: SearchOptions; signal: AbortSignal | undefined }[] = [];
  /** Waited for before a search answers. */
  searching: Promise<unknown> = Promise.resolve();
  /** The last search has, and what comes of it is done. */
  answered: Promise<unknown> = Promise.resolve();

  override async search(
    query: string,
    wanted: SearchOptions,
    signal?: AbortSignal,
  ): ReturnType<ScriptedRetriever['search']> {
    this.searches.push({ query, options: wanted, signal });
    const found = this.searching.then(() => super.search(query, wanted, signal));
    this.answered = found.catch(() => undefined).then(settled);
    return found;
  }
}

/** As the one above, whose chains come only after the search has answered. */
class SlowBeam extends WatchedRetriever {
  override async chains(...asked: Parameters<ScriptedRetriever['chains']>): ReturnType<ScriptedRetriever['chains']> {
    await settled();
    await this.answered;
    return super.chains(...asked);
  }
}

describe('first hits', () => {
  it('come before the first chain, from one search for five passages', async () => {
    const retriever = new SlowBeam(passages);
    const { events } = await runResearch(question, { retriever, options });
    const types = events.map(({ type }) => type);
    assert.ok(types.indexOf('first-hits') > types.indexOf('run-start'));
    assert.ok(types.indexOf('first-hits') < types.indexOf('passages-retrieved'));
    const found = events.find((event) => event.type === 'first-hits');
    assert.equal(found?.hits.length, 5);
    assert.deepEqual(Object.keys(found?.hits[0] ?? {}).sort(), ['passage', 'score']);
    assert.deepEqual(
      retriever.searches.map((search) => [search.query, search.options]),
      [[question, { retriever: 'hybrid', limit: 5, soon: true }]],
    );
  });

  it('are not looked for where nobody wants them', async () => {
    const retriever = new SlowBeam(passages);
    const { events } = await runResearch(question, { retriever });
    assert.deepEqual(retriever.searches, []);
    assert.ok(events.every(({ type }) => type !== 'first-hits'));
  });

  it('are not told after the first chain, and their search is aborted by it', async () => {
    const retriever = new WatchedRetriever(passages);
    let answer = (): void => undefined;
    retriever.searching = new Promise<void>((resolve) => (answer = resolve));
    const { events, ending } = await runResearch(question, {
      retriever,
      options,
      onEvent: (event) => {
        if (event.type !== 'passages-retrieved') return;
        assert.equal(retriever.searches[0]?.signal?.aborted, true);
        answer();
      },
    });
    assert.equal(ending, 'run-end');
    assert.ok(events.every(({ type }) => type !== 'first-hits'));
  });

  it('do not wait for a workspace that is read for the first time, and come again when it was', async () => {
    const retriever = new SlowBeam(passages);
    const told: string[] = [];
    const { events } = await runResearch(question, {
      retriever,
      options,
      onEvent: ({ type }) => told.push(type),
      dependencies: {
        ready: async (_signal, waits) => {
          waits();
          await until(() => told.includes('first-hits'), 'first hits are told');
        },
      },
    });
    const types = events.map(({ type }) => type).filter((type) => type !== 'notice');
    assert.deepEqual(types.slice(0, 3), ['run-start', 'first-hits', 'question-classified'], 'while it is waited for');
    assert.equal(types.filter((type) => type === 'first-hits').length, 2);
    assert.equal(retriever.searches.length, 2);
  });

  it('stop with the run', async () => {
    const stop = new AbortController();
    const retriever = new SlowBeam(passages, { wait: new Promise(() => undefined) });
    const running = runResearch(question, { retriever, options, signal: stop.signal });
    await until(() => retriever.searches.length > 0, 'the search has begun');
    stop.abort();
    assert.equal((await running).ending, 'run-cancelled');
    assert.equal(retriever.searches[0]?.signal?.aborted, true);
  });

  it('cost the run nothing when their search fails', async () => {
    const retriever = new SlowBeam(passages);
    retriever.searching = Promise.reject(new Error('The index is gone.'));
    const { events, ending } = await runResearch(question, { retriever, options });
    assert.equal(ending, 'run-end');
    assert.ok(events.every(({ type }) => type !== 'first-hits' && type !== 'notice'));
  });

  it('keep to the scope of the question', async () => {
    const retriever = new SlowBeam(passages);
    const scope = { ids: ['rope-3'] };
    const { events } = await runResearch(question, { retriever, options, scope });
    const found = events.find((event) => event.type === 'first-hits');
    assert.deepEqual(
      found?.hits.map(({ passage }) => passage.id),
      ['rope-3'],
    );
  });
});
