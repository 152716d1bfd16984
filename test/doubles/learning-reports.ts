import type { LearningReport } from '../../src/vscode/protocol.ts';

/** Before the first answer. */
export const nothingLearnt: LearningReport = {
  enabled: true,
  strategy: 'auto',
  prior: 'measurements on 60 questions with a small model, and assumptions for others',
  runs: 0,
  byType: [],
  strategies: [],
  examples: { decomposition: 0, reading: 0, critique: 0, runs: 0, consented: 0, bytes: 0, damaged: 0 },
  round: [],
  inUse: [],
  judgements: { up: 0, down: 0, rejectedPassages: 0 },
};

const one = { name: 'one-retrieval', words: 'one retrieval', runs: 23, quality: 0.83, cost: 0.21 };
const steps = { name: 'ircot', words: 'step-by-step retrieval', runs: 14, quality: 0.78, cost: 0.47 };
const vote = {
  name: 'no-retrieval>vote,one-retrieval>vote,ircot>vote',
  words: 'a vote of no retrieval, one retrieval and step-by-step retrieval',
  runs: 3,
  quality: 0.8,
  cost: 0.66,
};

/** After some weeks. */
export const muchLearnt: LearningReport = {
  enabled: true,
  strategy: 'auto',
  prior: 'measurements on 60 questions with a small model, and assumptions for others',
  runs: 40,
  byType: [
    { type: 'lookup', runs: 21, best: { ...one, runs: 19, quality: 0.87, cost: 0.2 } },
    { type: 'inference', runs: 15, best: steps },
    { type: 'comparison', runs: 4, best: { ...vote, runs: 2 } },
  ],
  strategies: [one, steps, vote],
  examples: { decomposition: 74, reading: 61, critique: 88, runs: 29, consented: 0, bytes: 412_000, damaged: 0 },
  round: [
    {
      trainer: 'chain-scorer',
      phase: 'installed',
      examples: 96,
      scores: { questions: 41, before: 0.612, after: 0.671, low: 0.018, high: 0.101 },
    },
    { trainer: 'example-pool', phase: 'skipped', examples: 12 },
  ],
  inUse: ['chain-scorer', 'question-classifier'],
  fineTuning: {
    phase: 'switched',
    baseModel: 'gpt-4o-mini',
    host: 'api.openai.com',
    examples: 191,
    inUse: 'ft:gpt-4o-mini:hoptrail',
    scores: { questions: 47, before: 0.534, after: 0.602, low: 0.011, high: 0.124 },
  },
  judgements: { up: 12, down: 3, rejectedPassages: 5 },
};

/** Learning is switched off, and a crash has torn a line. */
export const learningOff: LearningReport = {
  ...muchLearnt,
  enabled: false,
  strategy: 'ircot',
  examples: { ...muchLearnt.examples, damaged: 1 },
};
