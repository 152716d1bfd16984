import { yieldToOthers } from '#base';
import type { IndexedPassage } from '../store/passage-index.ts';
import type {
  ChainHeads,
  ChainOutlook,
  ChainScorer,
  ChainScorerWeights,
  HeadName,
  PartialChain,
} from './chain-scorer.ts';
import { completenessFeatures } from './features/candidate-features.ts';
import { type ChainProfile, profileChain, queryTextFor } from './features/chain-profile.ts';
import { firstHopTable, nextHopTable } from './features/extension-features.ts';
import { FeatureTable } from './features/feature-table.ts';
import { mostlyCode, type PassageProfile, PassageProfiles } from './features/passage-profile.ts';
import type { AnalysedQuestion } from './question.ts';
import { predictTable } from './heads/model.ts';

/** What one head is asked of: the candidates of a hop, or one chain, whose candidates are then the best next hops. */
export interface Rivals {
  head: HeadName;
  /** A row for each that is to have a logit. */
  table: FeatureTable;
  chain: readonly IndexedPassage[];
  candidates: readonly IndexedPassage[];
}

/** A scorer by features of a frozen encoder; its subclasses make logits of them. */
export abstract class FeatureScorer implements ChainScorer {
  readonly #profiles: PassageProfiles;

  constructor(profiles: PassageProfiles) {
    this.#profiles = profiles;
  }

  /** A logit for each row of the table. */
  abstract judge(rivals: Rivals, signal?: AbortSignal): Promise<number[]>;

  queryText(question: AnalysedQuestion, chain: readonly IndexedPassage[]): string {
    const profiles = chain.map((passage) => this.#profiles.of(passage));
    return queryTextFor(question, profileChain(question, profiles));
  }

  async scoreFirst(
    question: AnalysedQuestion,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]> {
    const table = firstHopTable(question, await this.#profile(candidates, signal));
    return this.judge({ head: 'first', table, chain: [], candidates }, signal);
  }

  async scoreNext(
    question: AnalysedQuestion,
    chain: PartialChain,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]> {
    const profiles = await this.#profile(candidates, signal);
    const table = nextHopTable(question, await this.#profileChain(question, chain, signal), chain.vector, profiles);
    return this.judge({ head: 'next', table, chain: chain.passages, candidates }, signal);
  }

  async completeness(
    question: AnalysedQuestion,
    chain: PartialChain,
    outlook: ChainOutlook,
    signal?: AbortSignal,
  ): Promise<number> {
    const profile = await this.#profileChain(question, chain, signal);
    const next = await this.#profile(outlook.next, signal);
    const table = new FeatureTable(1);
    table.set(0, completenessFeatures(question, profile, chain, outlook, next));
    const [logit = 0] = await this.judge(
      { head: 'complete', table, chain: chain.passages, candidates: outlook.next },
      signal,
    );
    return logit;
  }

  async #profileChain(question: AnalysedQuestion, chain: PartialChain, signal?: AbortSignal): Promise<ChainProfile> {
    return profileChain(question, await this.#profile(chain.passages, signal));
  }

  /** Profiling is the costly part the first time a passage is seen, so it makes way for other work in between. */
  async #profile(passages: readonly IndexedPassage[], signal?: AbortSignal): Promise<PassageProfile[]> {
    const profiles: PassageProfile[] = [];
    for (const [i, passage] of passages.entries()) {
      profiles.push(this.#profiles.of(passage));
      if (i % 16 === 15) await yieldToOthers(signal);
    }
    return profiles;
  }
}

/** The embedded default: trained heads. No network, no GPU. */
export class FeatureChainScorer extends FeatureScorer {
  #weights: Pick<ChainScorerWeights, 'prose' | 'code'>;

  constructor(weights: Pick<ChainScorerWeights, 'prose' | 'code'>, profiles = new PassageProfiles()) {
    super(profiles);
    this.#weights = weights;
  }

  /** Other heads from the next score on. */
  use(weights: Pick<ChainScorerWeights, 'prose' | 'code'>): void {
    this.#weights = weights;
  }

  async judge({ head, table, chain, candidates }: Rivals, signal?: AbortSignal): Promise<number[]> {
    await yieldToOthers(signal);
    const heads = this.#headsFor(head === 'complete' ? [...chain, ...candidates] : candidates);
    const logits = predictTable(heads[head], table);
    await yieldToOthers(signal);
    return logits;
  }

  /**
   * Rivals are judged by one pair of heads, so that their logits compare: those for code where most of them are code.
   */
  #headsFor(passages: readonly IndexedPassage[]): ChainHeads {
    const { prose, code } = this.#weights;
    return code !== undefined && mostlyCode(passages) ? code : prose;
  }
}
