import {
  FeatureScorer,
  type FeatureTable,
  type HeadName,
  type IndexedPassage,
  isCodePassage,
  type PassageProfiles,
  type Rivals,
} from '#search/lab';

/** How a recording search is led: a logit for each rival; `passages` is empty for the completeness of a chain. */
export type Guide = (head: HeadName, table: FeatureTable, passages: readonly IndexedPassage[]) => number[];

/** A question as the recording scorer sees it: what its gold names. */
interface GoldSource {
  id: string;
  set: string;
  gold: readonly string[];
  /** What `gold` names; passage ids where unset. */
  goldIs?: 'passages' | 'files';
  /**
   * Places that gold names in passages' stead, by the ids of the passages that touch one. A place that gold does not
   * name is neither right nor wrong.
   */
  places?: ReadonlyMap<string, string>;
}

/** What of a question's gold a passage may be: its file, the place that it touches, or itself. */
export const goldItemOf = (
  { goldIs, places }: Pick<GoldSource, 'goldIs' | 'places'>,
  passage: { id: string; path: string },
): string => (goldIs === 'files' ? passage.path : (places?.get(passage.id) ?? passage.id));

/**
 * A scorer that keeps every group of rivals it is asked about, with the right answers, while another leads the search.
 * Where gold names files or places rather than passages, the best-scored passage of each counts as right and its others
 * are left out: which of them matters is not known (multiple-instance learning, Andrews et al. 2003).
 */
export class RecordingScorer extends FeatureScorer {
  readonly groups: ExampleGroup[] = [];
  readonly #guide: Guide;
  readonly #gold: ReadonlySet<string>;
  readonly #keyOf: (passage: IndexedPassage) => string;
  readonly #places: GoldSource['places'];
  readonly #source: { question: string; set: string };

  constructor(profiles: PassageProfiles, guide: Guide, source: GoldSource) {
    super(profiles);
    this.#keyOf = (passage) => goldItemOf(source, passage);
    this.#guide = guide;
    this.#gold = new Set(source.gold);
    this.#places = source.places;
    this.#source = { question: source.id, set: source.set };
  }

  async judge({ head, table, chain, candidates }: Rivals): Promise<number[]> {
    const found = new Set(chain.map(this.#keyOf));
    if (head === 'complete') {
      const complete = found.size === this.#gold.size && [...found].every((key) => this.#gold.has(key));
      const code = [isCodePassage(chain.at(-1) as IndexedPassage)];
      this.groups.push({ head, ...this.#source, code, ...toGroupRows(table), labels: [Number(complete)] });
      return this.#guide(head, table, []);
    }
    if (candidates.length === 0) return [];
    const logits = this.#guide(head, table, candidates);
    const { features, rows } = toGroupRows(table);
    const best = new Map<string, number>();
    candidates.forEach((passage, i) => {
      const key = this.#keyOf(passage);
      const known = best.get(key);
      if (this.#gold.has(key) && !found.has(key) && (known === undefined || (logits[known] ?? 0) < (logits[i] ?? 0)))
        best.set(key, i);
    });
    const right = new Set(best.values());
    const spared = (passage: IndexedPassage): boolean =>
      this.#gold.has(this.#keyOf(passage)) || this.#places?.has(passage.id) === true;
    const kept = candidates.flatMap((passage, i) => (right.has(i) || !spared(passage) ? [i] : []));
    this.groups.push({
      head,
      ...this.#source,
      features,
      code: kept.map((i) => isCodePassage(candidates[i] as IndexedPassage)),
      rows: kept.map((i) => rows[i] as Float64Array),
      labels: kept.map((i) => Number(right.has(i))),
    });
    return logits;
  }
}

/** Rivals that one model scored together: the candidates of a hop, or one chain. */
export interface ExampleGroup {
  head: HeadName;
  /** The question: cross-validation never splits it. */
  question: string;
  /** Where the question comes from; sets are balanced against each other. */
  set: string;
  /** Weight of the group's rows among all; 1 where unset. */
  weight?: number;
  /** Whether the candidates are program text, one flag per row. */
  code: boolean[];
  features: readonly string[];
  rows: Float64Array[];
  /** 1 for a right candidate (or a complete chain). */
  labels: number[];
}

/** Rows as the features made them, in one fixed order. */
export function toGroupRows(table: FeatureTable): { features: string[]; rows: Float64Array[] } {
  const features = table.names().sort();
  return { features, rows: table.rows(features) };
}
