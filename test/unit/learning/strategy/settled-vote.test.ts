import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Reading } from '../../../../src/search/retrieval/retriever.ts';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { selectorWith } from './selector-doubles.ts';
import { cooperativeModel } from '../../../doubles/recorded-run.ts';

/** Three agents that disagree; the one that looked once says Narvik, the strongest says Kestrel Hut. */
async function vote(reading: Partial<Reading>) {
  const model = cooperativeModel({ thought: 'So the answer is: Kestrel Hut' });
  const { selector } = selectorWith(undefined, { operator: (name) => operators.get(name) });
  const run = await runResearch(BORN, {
    retriever: relayRetriever({
      scripts: {
        'in which town was the keeper born': {
          chain: ['outage', 'kestrel', 'mara'],
          reading: { answerability: 0.95, ...reading },
        },
      },
    }),
    model,
    options: { strategy: 'fixed:no-retrieval>vote,one-retrieval>vote,ircot>vote', critique: false },
    dependencies: { selectStrategy: (input) => selector.select(input) },
  });
  return { short: run.answer?.short, calls: model.calls.length };
}

describe('agents that disagree', () => {
  it('go by the years that decide, before they vote', async () => {
    const byYears = { chosen: 'Narvik', year: 1901, other: 'Kestrel Hut', otherYear: 1911, passageIds: ['mara'] };
    const [voted, settled] = [await vote({}), await vote({ byYears })];
    assert.equal(voted.short, 'Kestrel Hut');
    assert.equal(settled.short, 'Narvik');
    assert.equal(settled.calls, voted.calls);
  });
});
