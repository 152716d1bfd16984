import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/model/research-event.ts';
import type { ChainResult } from '../../../../src/retrieval/retriever.ts';
import { connectRun } from '../../../../src/vscode/commands/connect-run.ts';
import { bestLine, firstLine, oneLine } from '../../../../src/vscode/quick-answer/one-line.ts';
import { supplierChain } from '../../../doubles/panel-runs.ts';

const coverage = { files: 1, passages: 4, embedded: 4, indexing: false };

async function eventsOf(connect: () => Promise<ChainResult>, signal = new AbortController().signal): Promise<ResearchEvent[]> {
  let ids = 0;
  const events: ResearchEvent[] = [];
  for await (const event of connectRun('How?', 'incidents/a.md', 'people/b.md', { retriever: { connect }, now: () => 5, newId: () => `id${ids++}` }, signal)) events.push(event);
  return events;
}

describe('connectRun', () => {
  it('tells the best chain hop by hop, with citations', async () => {
    const other = { ...supplierChain, hops: supplierChain.hops.slice(0, 2) };
    const events = await eventsOf(async () => ({ chains: [supplierChain, other], hits: [], hopMilliseconds: [], coverage }));
    assert.deepEqual(events.map((event) => event.type), ['run-start', 'step-start', 'passages-retrieved', 'step-end', 'answer-end', 'run-end']);
    const end = events.find((event) => event.type === 'answer-end');
    assert.match(end?.answer.text ?? '', /in 3 steps[\s\S]*`hamish-adeyemi\.md` \[4\]: names "Hamish Adeyemi"[\s\S]*Other ways/);
    assert.equal(end?.answer.citations.length, 4);
  });

  it('says that nothing connects the two', async () => {
    const events = await eventsOf(async () => ({ chains: [], hits: [], hopMilliseconds: [], coverage }));
    const end = events.find((event) => event.type === 'answer-end');
    assert.equal(end?.answer.abstained, true);
    assert.match(end?.answer.abstainReason ?? '', /incidents\/a\.md to people\/b\.md/);
  });

  it('ends as an error, or as cancelled when it was stopped', async () => {
    assert.equal((await eventsOf(async () => { throw new Error('gone'); })).at(-1)?.type, 'run-error');
    const stop = new AbortController();
    assert.equal((await eventsOf(async () => { stop.abort(); throw new Error('aborted'); }, stop.signal)).at(-1)?.type, 'run-cancelled');
  });
});

describe('rows of the quick answer', () => {
  it('are one plain line', () => {
    assert.equal(oneLine('**Ann** [1]\n> keeps $(it)'), 'Ann keeps $ (it)');
    assert.equal(oneLine('x'.repeat(300)).length, 160);
    assert.equal(firstLine('\n# Title\n\n---\nWhat it says'), 'What it says');
    assert.equal(firstLine('# Only title'), 'Only title');
  });

  it('show the line that holds most of the question', () => {
    assert.deepEqual(bestLine('---\nsystem: Mast\n---\nThe pack freezes\nbelow zero the battery pack rests', 'battery pack below zero?'), { text: 'below zero the battery pack rests', offset: 4 });
    assert.deepEqual(bestLine('# Title\nother words', 'battery'), { text: 'other words', offset: 0 });
  });
});
