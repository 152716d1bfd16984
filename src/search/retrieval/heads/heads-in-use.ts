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

/**
 * The heads that searches use: the ones that this process started with, or those that learning built on top of these.
 */
export class HeadsInUse {
  #start: ChainScorerWeights;
  #learned: ChainScorerWeights | undefined;
  readonly #scorer: FeatureChainScorer;

  /** @param scorer Answers searches; its heads are changed. */
  constructor(start: ChainScorerWeights, scorer: FeatureChainScorer) {
    this.#start = start;
    this.#scorer = scorer;
  }

  get start(): ChainScorerWeights {
    return this.#start;
  }

  get weights(): ChainScorerWeights {
    return this.with(this.#learned);
  }

  /**
   * What searches would use: what was learnt on top of another embedder's heads is left aside until that one is back.
   */
  with(learned: ChainScorerWeights | undefined): ChainScorerWeights {
    return learned?.embedder === this.#start.embedder ? learned : this.#start;
  }

  /** Begins with these from the next search on, as another embedder was opened. */
  startWith(start: ChainScorerWeights): void {
    this.#start = start;
    this.#scorer.use(this.weights);
  }

  /** Puts learnt heads to use from the next search on; undefined: those that searches began with. */
  use(learned: ChainScorerWeights | undefined): void {
    this.#learned = learned;
    this.#scorer.use(this.weights);
  }
}
