import type { ResearchOptions } from './research-options.ts';

/** What a run does when nobody says otherwise. */
export const defaultResearchOptions: ResearchOptions = {
  strategy: 'auto',
  debate: 'off',
  fastDebater: true,
  slowDebater: true,
  strength: 'L2',
  rounds: 2,
  classifier: 'embedded',
  operators: ['chain-of-thought', 'single-step', 'iterative-step', 'sub-step', 'adaptive-step'],
  critique: true,
  record: true,
  budget: { calls: 40, tokens: 40_000, seconds: 600, nodes: 20 },
  beam: 2,
  maxHops: 6,
};
