import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EmbedderChoice } from '../../indexer/index-service.ts';
import { type ChainScorerWeights, readChainScorerWeights } from '../chain-scorer.ts';
import type { FeatureChainScorer } from '../feature-chain-scorer.ts';

/** Heads of the chain scorer, in the folder of the models that ship, or in that of an embedder that has its own. */
const WEIGHTS = 'chain-scorer.json';

/** The heads that ship, which learnt from the bundled embedder's vectors. @throws ChainScorerWeightsError */
export const shippedHeads = (modelsDir: string): ChainScorerWeights =>
  readChainScorerWeights(path.join(modelsDir, WEIGHTS));

/**
 * The heads that a search begins with: those in the embedder's folder, where there are some, else the ones that ship.
 * @throws ChainScorerWeightsError
 */
export function headsFor(choice: EmbedderChoice, shipped: ChainScorerWeights): ChainScorerWeights {
  const own = choice.kind === 'folder' ? path.join(path.resolve(choice.path), WEIGHTS) : '';
  return own !== '' && existsSync(own) ? readChainScorerWeights(own) : shipped;
}

/** Lets a scorer judge by the heads of the embedder that is open. */
export class HeadsInUse {
  readonly #scorer: FeatureChainScorer;

  /** @param scorer Answers searches; its heads are changed. */
  constructor(start: ChainScorerWeights, scorer: FeatureChainScorer) {
    this.#scorer = scorer;
    scorer.use(start);
  }

  /** Begins with these from the next search on, as another embedder was opened. */
  startWith(start: ChainScorerWeights): void {
    this.#scorer.use(start);
  }
}
