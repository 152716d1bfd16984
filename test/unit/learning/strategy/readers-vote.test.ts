import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { selectorWith } from './selector-doubles.ts';

/** Three agents that disagree; the one that looked once says Narvik, the strongest says Kestrel Hut. */
async function vote(answerability: number) {
  const model = new ScriptedLanguageModel((call) => {
    const kind = promptKind(call);
    return kind === 'thought' ? 'So the answer is: Kestrel Hut' : cooperative(call);
  });
  const { selector } = selectorWith(undefined, { operator: (name) => operators.get(name) });
  const run = await runResearch(BORN, {
    retriever: relayRetriever({
      scripts: {
        'in which town was the keeper born': {
          chain: ['outage', 'kestrel', 'mara'],
          reading: { answerability, answerType: 'span', answer: 'Narvik' },
        },
      },
    }),
    model,
    options: { strategy: 'fixed:no-retrieval>vote,one-retrieval>vote,ircot>vote', critique: false },
    dependencies: { selectStrategy: (input) => selector.select(input) },
  });
  return { short: run.answer?.short, calls: model.calls.length };
}

describe("the reader's vote", () => {
  it('decides between agents that disagree where it is sure, for no further call', async () => {
    const [unsure, sure] = [await vote(0.6), await vote(0.95)];
    assert.equal(unsure.short, 'Kestrel Hut');
    assert.equal(sure.short, 'Narvik');
    assert.equal(sure.calls, unsure.calls);
  });
});
