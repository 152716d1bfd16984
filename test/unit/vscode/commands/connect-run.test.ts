import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { ChainResult } from '../../../../src/search/retrieval/retriever.ts';
import { connectRun } from '../../../../src/vscode/commands/connect-run.ts';
import { supplierChain } from '../../../doubles/panel-runs.ts';

const coverage = { files: 1, passages: 4, embedded: 4, indexing: false };

async function eventsOf(
  connect: () => Promise<ChainResult>,
  { signal = new AbortController().signal, runId }: { signal?: AbortSignal; runId?: string } = {},
): Promise<ResearchEvent[]> {
  let ids = 0;
  const events: ResearchEvent[] = [];
  for await (const event of connectRun(
    { text: 'How?', history: [], runId },
    'incidents/a.md',
    'people/b.md',
    { retriever: { connect }, now: () => 5, newId: () => `id${ids++}` },
    signal,
  ))
    events.push(event);
  return events;
}

describe('connectRun', () => {
  it('tells the best chain hop by hop, with citations', async () => {
    const other = { ...supplierChain, hops: supplierChain.hops.slice(0, 2) };
    const events = await eventsOf(async () => ({
      chains: [supplierChain, other],
      hits: [],
      hopMilliseconds: [],
      coverage,
    }));
    assert.deepEqual(
      events.map((event) => event.type),
      ['run-start', 'plan-proposed', 'step-start', 'passages-retrieved', 'step-end', 'answer-end', 'run-end'],
    );
    const proposed = events.find((event) => event.type === 'plan-proposed');
    assert.deepEqual(
      [proposed?.plan.origin, proposed?.plan.reason, proposed?.plan.cost?.calls],
      ['index', 'It asks what links two files.', { least: 0, most: 0 }],
    );
    const end = events.find((event) => event.type === 'answer-end');
    assert.match(
      end?.answer.text ?? '',
      /in 3 steps[\s\S]*`hamish-adeyemi\.md` \[4\]: names "Hamish Adeyemi"[\s\S]*Other ways/,
    );
    assert.equal(end?.answer.citations.length, 4);
  });

  it('is the run that was announced, or else one of its own', async () => {
    const connect = async (): Promise<ChainResult> => ({
      chains: [supplierChain],
      hits: [],
      hopMilliseconds: [],
      coverage,
    });
    const [announced, own] = [await eventsOf(connect, { runId: 'shown' }), await eventsOf(connect)];
    assert.deepEqual([...new Set(announced.map((event) => event.runId))], ['shown']);
    assert.deepEqual([...new Set(own.map((event) => event.runId))], ['id0']);
    const start = announced[0];
    assert.ok(start?.type === 'run-start' && start.question === 'How?' && start.asked === 'How?');
  });

  it('says that nothing connects the two', async () => {
    const events = await eventsOf(async () => ({ chains: [], hits: [], hopMilliseconds: [], coverage }));
    const end = events.find((event) => event.type === 'answer-end');
    assert.equal(end?.answer.abstained, true);
    assert.match(end?.answer.abstainReason ?? '', /incidents\/a\.md to people\/b\.md/);
  });

  it('ends as an error, or as cancelled when it was stopped', async () => {
    assert.equal(
      (
        await eventsOf(async () => {
          throw new Error('gone');
        })
      ).at(-1)?.type,
      'run-error',
    );
    const stop = new AbortController();
    assert.equal(
      (
        await eventsOf(
          async () => {
            stop.abort();
            throw new Error('aborted');
          },
          { signal: stop.signal },
        )
      ).at(-1)?.type,
      'run-cancelled',
    );
  });
});
