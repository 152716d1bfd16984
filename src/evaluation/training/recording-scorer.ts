import type { IndexedPassage } from '../../indexing/passage-index.ts';
import type { ChainOutlook, ChainScorer, PartialChain } from '../../retrieval/chain-scorer.ts';
import { profileChain, queryTextsFor } from '../../retrieval/features/chain-profile.ts';
import { completenessFeatures } from '../../retrieval/features/completeness-features.ts';
import type { FeatureRow } from '../../retrieval/features/candidate-features.ts';
import { firstHopRows, nextHopRows } from '../../retrieval/features/hop-rows.ts';
import { isCodePassage, type PassageProfiles } from '../../retrieval/features/passage-profile.ts';
import type { QuestionProfile } from '../../retrieval/features/question-profile.ts';
import { toGroupRows, type ExampleGroup, type HeadName } from '../../retrieval/learning/example-group.ts';

/** How a recording search is led: a logit for each row of a head. */
export type Guide = (head: HeadName, row: FeatureRow, passage: IndexedPassage | undefined) => number;

/** A scorer that keeps every group of rivals it is asked about, with the right answers, while another leads the search. */
export class RecordingScorer implements ChainScorer {
  readonly groups: ExampleGroup[] = [];
  private readonly profiles: PassageProfiles;
  private readonly guide: Guide;
  private readonly gold: ReadonlySet<string>;
  private readonly source: { question: string; set: string };

  constructor(profiles: PassageProfiles, guide: Guide, source: { id: string; set: string; gold: readonly string[] }) {
    this.profiles = profiles;
    this.guide = guide;
    this.gold = new Set(source.gold);
    this.source = { question: source.id, set: source.set };
  }

  queryTexts(question: QuestionProfile, chain: readonly IndexedPassage[]): string[] {
    return queryTextsFor(question, profileChain(question, chain.map((passage) => this.profiles.of(passage))));
  }

  async scoreFirst(question: QuestionProfile, candidates: readonly IndexedPassage[]): Promise<number[]> {
    const rows = firstHopRows(question, candidates.map((passage) => this.profiles.of(passage)));
    return this.record('first', rows, candidates);
  }

  async scoreNext(question: QuestionProfile, chain: PartialChain, candidates: readonly IndexedPassage[]): Promise<number[]> {
    const profile = profileChain(question, chain.passages.map((passage) => this.profiles.of(passage)));
    const rows = nextHopRows(question, profile, chain, candidates.map((passage) => this.profiles.of(passage)));
    return this.record('next', rows, candidates);
  }

  async completeness(question: QuestionProfile, chain: PartialChain, outlook: ChainOutlook): Promise<number> {
    const profile = profileChain(question, chain.passages.map((passage) => this.profiles.of(passage)));
    const row = completenessFeatures(question, profile, chain, outlook, outlook.next.map((passage) => this.profiles.of(passage)));
    const complete = chain.passages.length === this.gold.size && chain.passages.every((passage) => this.gold.has(passage.id));
    this.groups.push({ head: 'complete', ...this.source, code: [isCodePassage(profile.last.passage)], ...toGroupRows([row]), labels: [Number(complete)] });
    return this.guide('complete', row, undefined);
  }

  private record(head: 'first' | 'next', rows: FeatureRow[], candidates: readonly IndexedPassage[]): number[] {
    if (rows.length === 0) return [];
    this.groups.push({ head, ...this.source, code: candidates.map(isCodePassage), ...toGroupRows(rows), labels: candidates.map((passage) => Number(this.gold.has(passage.id))) });
    return rows.map((row, i) => this.guide(head, row, candidates[i]));
  }
}
