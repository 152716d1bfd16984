import type { IndexedPassage } from '../../src/search/store/passage-index.ts';
import type { ChainScorer, PartialChain } from '../../src/search/retrieval/chain-scorer.ts';
import type { AnalysedQuestion } from '../../src/search/retrieval/question.ts';

/**
 * A scorer whose every answer is written down: `next` by the ids of chain and candidate, `complete` by the ids of the
 * chain.
 */
export class ScriptedScorer implements ChainScorer {
  /** Chains that were extended, as joined ids, in order. */
  readonly extended: string[] = [];
  readonly #next: (chain: readonly string[], candidate: string) => number;
  readonly #complete: (chain: readonly string[]) => number;
  readonly #onExtend: (() => void) | undefined;

  constructor(
    next: (chain: readonly string[], candidate: string) => number,
    complete: (chain: readonly string[]) => number = (chain) => chain.length,
    onExtend?: () => void,
  ) {
    this.#next = next;
    this.#complete = complete;
    this.#onExtend = onExtend;
  }

  queryText(): undefined {}

  async scoreFirst(_: AnalysedQuestion, candidates: readonly IndexedPassage[]): Promise<number[]> {
    return candidates.map((candidate) => this.#next([], candidate.id));
  }

  async scoreNext(_: AnalysedQuestion, chain: PartialChain, candidates: readonly IndexedPassage[]): Promise<number[]> {
    const ids = chain.passages.map((passage) => passage.id);
    this.extended.push(ids.join());
    this.#onExtend?.();
    return candidates.map((candidate) => this.#next(ids, candidate.id));
  }

  async completeness(_: AnalysedQuestion, chain: PartialChain): Promise<number> {
    return this.#complete(chain.passages.map((passage) => passage.id));
  }
}
