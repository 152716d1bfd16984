import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Reading } from '../../../../src/search/retrieval/retriever.ts';
import type { StrategyName } from '../../../../src/research/context/research-options.ts';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { selectorWith } from './selector-doubles.ts';
import { cooperativeModel } from '../../../doubles/recorded-run.ts';

const THREE = 'fixed:no-retrieval>vote,one-retrieval>vote,ircot>vote';

/** Three agents that disagree; the one that looked once says Narvik, the strongest says Kestrel Hut. */
async function answered(reading: Partial<Reading>, strategy: StrategyName = THREE, model = disagreeing()) {
  const { selector } = selectorWith(undefined, { operator: (name) => operators.get(name), exploration: () => 0 });
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
    options: { strategy, critique: false },
    dependencies: { selectStrategy: (input) => selector.select(input) },
  });
  const chosen = run.events.find((event) => event.type === 'strategy-selected');
  return { short: run.answer?.short, calls: model.calls.length, strategy: chosen?.strategy };
}

const disagreeing = () => cooperativeModel({ thought: 'So the answer is: Kestrel Hut' });
const byYears = (chosen: string, other: string) => ({
  byYears: { chosen, year: 1901, other, otherYear: 1911, passageIds: ['mara'] },
});

describe('agents that disagree', () => {
  it('go by the years that decide, before they vote', async () => {
    const [voted, settled] = [await answered({}), await answered(byYears('Narvik', 'Kestrel Hut'))];
    assert.equal(voted.short, 'Kestrel Hut');
    assert.equal(settled.short, 'Narvik');
    assert.equal(settled.calls, voted.calls);
  });
});

describe('a plan that `auto` chooses', () => {
  it('goes by the years that decide, at no call more', async () => {
    const ask = (reading: Partial<Reading>) => answered(reading, 'auto', cooperativeModel());
    const [said, settled] = [await ask({}), await ask(byYears('Kestrel Hut', 'Narvik'))];
    assert.deepEqual([said.short, said.strategy], ['Narvik', 'ircot']);
    assert.deepEqual(settled, { ...said, short: 'Kestrel Hut' });
  });
});
