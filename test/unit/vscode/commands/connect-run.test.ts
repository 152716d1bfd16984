import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { ChainResult } from '../../../../src/search/retrieval/retriever.ts';
import { connectRun } from '../../../../src/vscode/commands/connect-run.ts';
import { noReferences, type ReferenceAnswer } from '../../../../src/search/domain/reference-answer.ts';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import { supplierChain } from '../../../doubles/panel-runs.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const coverage = { files: 1, passages: 4, embedded: 4, indexing: false };

async function eventsOf(
  connect: () => Promise<ChainResult>,
  {
    signal = new AbortController().signal,
    runId,
    t,
  }: { signal?: AbortSignal; runId?: string; t?: (text: string, ...values: unknown[]) => string } = {},
): Promise<ResearchEvent[]> {
  let ids = 0;
  const events: ResearchEvent[] = [];
  for await (const event of connectRun(
    { text: 'How?', history: [], runId },
    'incidents/a.md',
    'people/b.md',
    {
      retriever: { connect, references: async (query) => noReferences(query, coverage), passages: async () => [] },
      now: () => 5,
      newId: () => `id${ids++}`,
      ...(t && { t }),
    },
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
      ['run-start', 'answer-end', 'run-end'],
    );
    const end = events.find((event) => event.type === 'answer-end');
    assert.match(
      end?.answer.text ?? '',
      /in 3 steps[\s\S]*`hamish-adeyemi\.md` \[4\]: “Halden Cells” names “Hamish Adeyemi”[\s\S]*Other ways/,
    );
    assert.equal(end?.answer.citations.length, 4);
  });

  it("tells it in the editor's language", async () => {
    const chains = [supplierChain, supplierChain, { ...supplierChain, hops: supplierChain.hops.slice(0, 2) }];
    const events = await eventsOf(async () => ({ chains, hits: [], hopMilliseconds: [], coverage }), {
      t: (text, ...values) => `«${text}${values.join(',')}»`,
    });
    const answer = events.find((event) => event.type === 'answer-end')?.answer;
    assert.equal(answer?.short, '«{0} leads to {1} in {2} steps.`a.md`,`b.md`,3»');
    assert.match(answer.text, /\[4\]: «[^]*«Other ways:»/);
    assert.equal(answer.text.match(/ → /g)?.length, 1, 'the same way is no other one');
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

  describe('between two names', () => {
    const passage = notePassage('s', '', 'serve(getMimeType());\nfunction getMimeType() {}', { path: 'serve.ts' });
    const place = { path: 'serve.ts', passageId: 's', text: '' };
    const definition = (name: string, line: number) => ({ ...place, name, kind: 'function', line, endLine: line });
    const found: Partial<ReferenceAnswer> = {
      definitions: [definition('serve', 1), definition('getMimeType', 2)],
      references: [{ ...place, relation: 'calls', line: 1, from: 'serve', to: 'getMimeType', confidence: 1 }],
      route: { found: 'forwards', reached: 2, ambiguous: [] },
      total: 1,
      files: 1,
    };
    async function answerOf(answer: Partial<ReferenceAnswer>): Promise<Answer | undefined> {
      for await (const event of connectRun(
        { text: 'How?', history: [] },
        'serve',
        'getMimeType',
        {
          retriever: {
            connect: async () => assert.fail('names are no files'),
            references: async (query) => ({ ...noReferences(query, coverage), ...answer }),
            passages: async (ids) => (ids.includes('s') ? [passage] : []),
          },
          now: () => 5,
          newId: () => 'id',
        },
        new AbortController().signal,
        'names',
      ))
        if (event.type === 'answer-end') return event.answer;
      return undefined;
    }

    it('tells the way step by step', async () => {
      const answer = await answerOf(found);
      assert.match(answer?.text ?? '', /^`serve` leads to `getMimeType` in 1 step/);
      assert.deepEqual(
        answer?.chain.hops.map((hop) => hop.why.because),
        [{ code: 'defines-asked', what: 'serve' }],
      );
    });

    it('says that one of them is not known, and which names are like it', async () => {
      const answer = await answerOf({ near: ['server'] });
      assert.equal(answer?.abstained, true);
      assert.equal(answer.abstainReason, 'No links, names or calls lead from serve to getMimeType.');
    });
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
