import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer, CritiqueVerdict } from '../../../../src/research/domain/answer.ts';
import { onlineQuality, penalisedCost } from '../../../../src/learning/strategy/decision.ts';

const statement = (support: 'quote' | 'supported' | 'unsupported'): Answer['statements'][number] => ({
  text: 's',
  citations: [1],
  support,
});
const citation = { number: 1, passageId: 'p', startLine: 1, endLine: 1 };
const good = {
  abstained: false,
  statements: [statement('quote'), statement('supported')],
  unsupportedCount: 0,
  citations: [citation],
  by: 'model' as const,
};
const half = { ...good, statements: [statement('quote'), statement('unsupported')], unsupportedCount: 1 };
const keep: CritiqueVerdict = { verdict: 'keep', reason: '', by: 'model' };
const reject: CritiqueVerdict = { verdict: 'unsupported', reason: '', by: 'model' };

describe('reward', () => {
  it('penalises tokens and seconds more the more there are, and never beyond 1', () => {
    const costs = [0, 100, 4000, 40_000, 4_000_000].map((tokens) => penalisedCost({ tokens, seconds: tokens / 200 }));
    assert.equal(costs[0], 0);
    assert.ok(costs.every((cost, i) => i === 0 || cost > (costs[i - 1] ?? 1)));
    assert.ok((costs.at(-1) ?? 1) < 1);
    assert.equal(penalisedCost({ tokens: 8000, seconds: 40 }), 0.5);
  });

  it("takes a person's word over the checks, and the checks over nothing", () => {
    assert.equal(onlineQuality({ answer: half, critique: reject, thumb: 'up' }), 1);
    assert.equal(onlineQuality({ answer: good, critique: keep, thumb: 'down' }), 0);
    assert.ok(onlineQuality({ answer: good, critique: keep, thinkHarder: true }) < onlineQuality({ answer: half }));
    assert.ok(onlineQuality({ answer: good, edit: 'kept' }) > onlineQuality({ answer: good, edit: 'changed' }));
  });

  it('falls with every check that fails', () => {
    const order = [
      onlineQuality({ answer: good, critique: keep }),
      onlineQuality({ answer: half, critique: keep }),
      onlineQuality({ answer: good, critique: reject }),
      onlineQuality({ answer: { ...good, abstained: true } }),
      onlineQuality({ answer: { ...good, citations: [] } }),
    ];
    order.forEach((value, i) => assert.ok(i === 0 || value < (order[i - 1] ?? 0), String(order)));
    assert.equal(onlineQuality({ answer: undefined }), 0);
    assert.ok(
      onlineQuality({ answer: { ...good, by: 'extractive' }, critique: keep }) <
        onlineQuality({ answer: good, critique: keep }),
      'quotes pass every check',
    );
  });
});
