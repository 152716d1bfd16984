import type { IndexedPassage } from '../store/passage-index.ts';
import type { ChainHeads, ChainOutlook, ChainScorer, ChainScorerWeights, PartialChain } from './chain-scorer.ts';
import { completenessFeatures } from './features/candidate-features.ts';
import { profileChain, queryTextsFor } from './features/chain-profile.ts';
import { firstHopTable, nextHopTable } from './features/extension-features.ts';
import { mostlyCode, PassageProfiles, type PassageProfile } from './features/passage-profile.ts';
import type { QuestionProfile } from './features/question-profile.ts';
import type { FeatureTable } from './features/feature-table.ts';
import { predict, predictTable } from './heads/model.ts';
import { yieldToOthers } from '#base';

/** The embedded default: trained heads over features of a frozen encoder. No network, no GPU. */
export class FeatureChainScorer implements ChainScorer {
  #weights: Pick<ChainScorerWeights, 'prose' | 'code'>;
  readonly #profiles: PassageProfiles;

  constructor(weights: Pick<ChainScorerWeights, 'prose' | 'code'>, profiles = new PassageProfiles()) {
    this.#weights = weights;
    this.#profiles = profiles;
  }

  /** Other heads from the next score on. */
  use(weights: Pick<ChainScorerWeights, 'prose' | 'code'>): void {
    this.#weights = weights;
  }

  queryTexts(question: QuestionProfile, chain: readonly IndexedPassage[]): string[] {
    return queryTextsFor(
      question,
      profileChain(
        question,
        chain.map((passage) => this.#profiles.of(passage)),
      ),
    );
  }

  async scoreFirst(
    question: QuestionProfile,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]> {
    const table = firstHopTable(question, await this.#profile(candidates, signal));
    return this.#logits('first', candidates, table, signal);
  }

  async scoreNext(
    question: QuestionProfile,
    chain: PartialChain,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]> {
    const profiles = await this.#profile(candidates, signal);
    const chainProfile = profileChain(question, await this.#profile(chain.passages, signal));
    const table = nextHopTable(question, chainProfile, chain.vectors, profiles);
    return this.#logits('next', candidates, table, signal);
  }

  async completeness(
    question: QuestionProfile,
    chain: PartialChain,
    outlook: ChainOutlook,
    signal?: AbortSignal,
  ): Promise<number> {
    const profile = profileChain(question, await this.#profile(chain.passages, signal));
    const row = completenessFeatures(question, profile, chain, outlook, await this.#profile(outlook.next, signal));
    return predict(this.#headsFor([...chain.passages, ...outlook.next]).complete, row);
  }

  async #logits(
    head: 'first' | 'next',
    candidates: readonly IndexedPassage[],
    table: FeatureTable,
    signal?: AbortSignal,
  ): Promise<number[]> {
    await yieldToOthers(signal);
    const logits = predictTable(this.#headsFor(candidates)[head], table);
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
