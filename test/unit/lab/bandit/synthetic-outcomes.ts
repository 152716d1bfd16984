import type { OutcomeRecord } from '../../../../lab/bandit/outcome-log.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { paperActions } from '../../../../lab/bandit/prior-state.ts';
import { QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from '../../../../src/learning/strategy/question-features.ts';

/**
 * Logged outcomes of a small world: look-ups, which one retrieval answers and step-by-step retrieval does not answer
 * better, and questions over several passages, which only the latter answers. Every call costs tokens.
 */
export function syntheticOutcomes(count: number, seed: number): OutcomeRecord[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const lookup = random() < 0.6;
    const values: Record<string, number> = {
      constant: 1,
      lookup: lookup ? 1 : 0,
      inference: lookup ? 0 : 1,
      hops: lookup ? 0 : 0.7,
      length: random(),
      'top-score': random(),
      files: 0.7,
      notes: 0.9,
      'model-context': 0.3,
      'model-size': 0.1,
      'model-local': 1,
    };
    const strategies: OutcomeRecord['strategies'] = {};
    for (const { name, graph } of paperActions()) {
      const [one, iterative] = [graph.agents.includes('one-retrieval'), graph.agents.includes('ircot')];
      const quality = lookup ? (one || iterative ? 0.85 : 0.15) : iterative ? 0.75 : one ? 0.3 : 0.1;
      const tokens = (graph.agents.includes('no-retrieval') ? 300 : 0) + (one ? 1500 : 0) + (iterative ? 7000 : 0);
      strategies[name] = {
        f1: Math.min(1, Math.max(0, quality + 0.2 * (random() - 0.5))),
        calls: graph.agents.length,
        tokens,
        seconds: tokens / 200,
        answer: 'x',
      };
    }
    return {
      version: 1,
      id: `q${i}`,
      dataset: 'synthetic',
      question: `Question ${i}?`,
      featuresVersion: QUESTION_FEATURES_VERSION,
      features: QUESTION_FEATURES.map((name) => values[name] ?? 0),
      model: 'm',
      strategies,
    };
  });
}
