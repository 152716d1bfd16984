import type { ChainHeads, Model } from '#search/lab';

const linear = (weights: Readonly<Record<string, number>>, bias: number): Model => ({
  kind: 'linear',
  features: Object.keys(weights),
  weights: Object.values(weights),
  bias,
});

/** Heads set by hand, from which the first round of searches starts. */
export const STARTING_HEADS: ChainHeads = {
  first: linear({ 'cosine.z': 1, 'bm25.z': 0.4, titleInQuestion: 0.6, namesFraction: 0.5 }, -2.5),
  next: linear(
    {
      'cosine.z': 0.3,
      'residualCosine.z': 1.3,
      'bridgeBest.z': 0.4,
      namesNewTitle: 0.8,
      bridgeTitle: 0.5,
      openNamesInTitle: 1,
      linksOut: 1,
      linksBack: 0.5,
    },
    -3,
  ),
  complete: linear({ covered: 3, openNames: -1, nextLogit: -0.6, logitLowest: 0.4 }, -2),
};
