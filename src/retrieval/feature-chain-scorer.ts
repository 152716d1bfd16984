import type { IndexedPassage } from '../indexing/passage-index.ts';
import type { ChainHeads, ChainScorerWeights } from './chain-heads.ts';
import type { ChainOutlook, ChainScorer, PartialChain } from './chain-scorer.ts';
import { profileChain, queryTextsFor } from './features/chain-profile.ts';
import { completenessFeatures } from './features/completeness-features.ts';
import { firstHopRows, nextHopRows } from './features/hop-rows.ts';
import { isCodePassage, PassageProfiles, type PassageProfile } from './features/passage-profile.ts';
import type { QuestionProfile } from './features/question-profile.ts';
import type { FeatureRow } from './features/candidate-features.ts';
import { predict } from './learning/model.ts';
import { yieldToOthers } from './yield-to-others.ts';

/** A further opinion on candidates, such as a cross-encoder's: its values join the features under these names. */
export interface ExtraFeatures {
  readonly names: readonly string[];
  /** One row of values per candidate, in the order of `names`; `chain` is empty at the first hop. */
  rows(question: QuestionProfile, chain: readonly IndexedPassage[], candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<number[][]>;
}

/** The embedded default: trained heads over features of a frozen encoder. No network, no GPU. */
export class FeatureChainScorer implements ChainScorer {
  private readonly weights: Pick<ChainScorerWeights, 'prose' | 'code'>;
  private readonly extra: ExtraFeatures | undefined;
  private readonly profiles: PassageProfiles;

  constructor(weights: Pick<ChainScorerWeights, 'prose' | 'code'>, extra?: ExtraFeatures, profiles = new PassageProfiles()) {
    this.weights = weights;
    this.extra = extra;
    this.profiles = profiles;
  }

  queryTexts(question: QuestionProfile, chain: readonly IndexedPassage[]): string[] {
    return queryTextsFor(question, profileChain(question, chain.map((passage) => this.profiles.of(passage))));
  }

  async scoreFirst(question: QuestionProfile, candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<number[]> {
    const rows = firstHopRows(question, await this.profile(candidates, signal));
    await this.addExtra(rows, question, [], candidates, signal);
    return this.logits('first', candidates, rows, signal);
  }

  async scoreNext(question: QuestionProfile, chain: PartialChain, candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<number[]> {
    const profiles = await this.profile(candidates, signal);
    const chainProfile = profileChain(question, await this.profile(chain.passages, signal));
    const rows = nextHopRows(question, chainProfile, chain, profiles);
    await this.addExtra(rows, question, chain.passages, candidates, signal);
    return this.logits('next', candidates, rows, signal);
  }

  async completeness(question: QuestionProfile, chain: PartialChain, outlook: ChainOutlook, signal?: AbortSignal): Promise<number> {
    const profile = profileChain(question, await this.profile(chain.passages, signal));
    const row = completenessFeatures(question, profile, chain, outlook, await this.profile(outlook.next, signal));
    return predict(this.headsFor(profile.last.passage).complete, row);
  }

  private async logits(head: 'first' | 'next', candidates: readonly IndexedPassage[], rows: readonly FeatureRow[], signal?: AbortSignal): Promise<number[]> {
    const logits: number[] = [];
    for (const [i, row] of rows.entries()) {
      const passage = candidates[i];
      logits.push(passage === undefined ? -Infinity : predict(this.headsFor(passage)[head], row));
      if (i % 32 === 31) await yieldToOthers(signal);
    }
    return logits;
  }

  private headsFor(passage: IndexedPassage): ChainHeads {
    return isCodePassage(passage) ? (this.weights.code ?? this.weights.prose) : this.weights.prose;
  }

  /** Profiling is the costly part the first time a passage is seen, so it makes way for other work in between. */
  private async profile(passages: readonly IndexedPassage[], signal?: AbortSignal): Promise<PassageProfile[]> {
    const profiles: PassageProfile[] = [];
    for (const [i, passage] of passages.entries()) {
      profiles.push(this.profiles.of(passage));
      if (i % 16 === 15) await yieldToOthers(signal);
    }
    return profiles;
  }

  private async addExtra(rows: readonly FeatureRow[], question: QuestionProfile, chain: readonly IndexedPassage[], candidates: readonly IndexedPassage[], signal?: AbortSignal): Promise<void> {
    const { extra } = this;
    if (extra === undefined) return;
    const values = await extra.rows(question, chain, candidates, signal);
    rows.forEach((row, i) => extra.names.forEach((name, j) => { row[name] = values[i]?.[j] ?? 0; }));
  }
}
