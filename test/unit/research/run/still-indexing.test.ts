import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import type { IndexCoverage } from '../../../../src/search/domain/index-state.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { RunState } from '../../../../src/research/run/run-state.ts';
import { ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

/** What a run tells of an index that grows from one retrieval to the next. */
function toldOf(...coverages: Partial<IndexCoverage>[]): string[] {
  const told: string[] = [];
  const run = new RunState({
    runId: 'run-1',
    retriever: new ScriptedRetriever([]),
    model: undefined,
    options: defaultResearchOptions,
    question: { text: 'Who keeps Kestrel Hut?', history: [] },
    signal: new AbortController().signal,
    now: () => 0,
    emit: (event) => {
      if (event.type === 'notice') told.push(runNoticeInWords(event));
    },
  });
  for (const coverage of coverages)
    run.noteCoverage({ files: 1, passages: 0, embedded: 0, indexing: true, ...coverage });
  return told;
}

describe('an index that is not complete', () => {
  it('is told of once, whatever its numbers are later', () => {
    assert.deepEqual(toldOf({ passages: 10, embedded: 4 }, { passages: 20, embedded: 5 }, { passages: 30 }), [
      'The index is not complete: 10 passages can be searched by words, 40 % of them by meaning.',
    ]);
  });

  it('is told of again once something of it can be searched', () => {
    assert.deepEqual(toldOf({}, {}, { passages: 20, embedded: 5 }, { passages: 30, embedded: 6 }), [
      'Files are still being read: nothing can be searched yet.',
      'The index is not complete: 20 passages can be searched by words, 25 % of them by meaning.',
    ]);
  });

  it('is not told of when it is complete', () => {
    assert.deepEqual(toldOf({ passages: 10, embedded: 10, indexing: false }), []);
  });
});
