import type { Embedder } from '../embedding/embedder.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import { type Name, nameForm, readNames } from '../text/names.ts';
import { partsQuery } from '../text/word-parts.ts';
import { contentStems, contentWords, stem } from '../text/words.ts';
import { exactWordsOf } from './exact-words.ts';
import { formOf } from './features/passage-profile.ts';
import { questionNameKeys, textQuery } from './name-keys.ts';

/** A question (or a further query) as it is read once: what lists are searched with. */
export interface QuestionText {
  text: string;
  /** Distinct content stems in order. */
  stems: string[];
  /** The words behind `stems`, as plain text, in the same order. */
  words: string[];
  /** Words for the full-text index, joined by spaces; '' where there are none. */
  fullText: string;
  /** Parts of words to look for beside them; '' where there are none. */
  parts: string;
  /** Keys of titles, symbols and paths that it may mean. */
  nameKeys: string[];
  /** Numbers, ids, versions and dates. */
  exact: string[];
  /** Names in it, the longest of those that nest. */
  names: Name[];
  /** Plain words joined by spaces, one in front and one behind. */
  form: string;
  /** Adjacent pairs of content stems. */
  pairs: [string, string][];
}

/** A question as it travels through hybrid search, beam and units. */
export interface AnalysedQuestion extends QuestionText {
  /** L2-normalised query embedding; undefined when nothing is embedded yet. */
  vector: Float32Array | undefined;
  /** Where it is looked for among passages; `vector` where the embedder has no map of questions. */
  moved: Float32Array | undefined;
  /** Inverse document frequency per stem (natural logarithm, 0 at least). */
  idf: Map<string, number>;
  totalIdf: number;
}

export function readQuestion(text: string): QuestionText {
  const terms = new Map<string, string>();
  for (const word of contentWords(text)) {
    const key = stem(word.text);
    if (!terms.has(key)) terms.set(key, word.text);
  }
  const ordered = contentStems(text);
  return {
    text,
    stems: [...terms.keys()],
    words: [...terms.values()],
    fullText: textQuery(text),
    parts: partsQuery(text),
    nameKeys: questionNameKeys(text),
    exact: exactWordsOf(text),
    names: outermostNames(text),
    form: formOf(text),
    pairs: ordered.slice(1).map((second, i): [string, string] => [ordered[i] ?? '', second]),
  };
}

/** What of a question depends on the index. */
interface Asked {
  vector: Float32Array | undefined;
  /** Left out: `vector`. */
  moved?: Float32Array | undefined;
  /** Passages that hold each of `words`, of `total`. */
  frequencies: readonly number[];
  total: number;
}

export function withFrequencies(
  question: QuestionText,
  { vector, moved = vector, frequencies, total }: Asked,
): AnalysedQuestion {
  const idf = new Map(question.stems.map((stem, i) => [stem, inverseDocumentFrequency(frequencies[i] ?? 0, total)]));
  const totalIdf = [...idf.values()].reduce((sum, value) => sum + value, 0);
  return { ...question, vector, moved, idf, totalIdf };
}

/** A question with what is known of it already. */
export const profileQuestion = (
  text: string,
  vector: Float32Array | undefined,
  frequencies: readonly number[],
  total: number,
): AnalysedQuestion => withFrequencies(readQuestion(text), { vector, frequencies, total });

/** Analyses a question that is asked of an index. Rejects with AbortError on abort. */
export async function analyseQuestion(
  text: string,
  index: Pick<PassageIndex, 'documentFrequencies'>,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<AnalysedQuestion> {
  const question = readQuestion(text);
  const [counts, vector] = await Promise.all([
    index.documentFrequencies(question.words),
    embedder.embedQuery(text, signal),
  ]);
  return withFrequencies(question, { ...counts, vector, moved: embedder.moveQuestion?.(vector) });
}

/** BM25's form of it, Robertson and Zaragoza (2009), §3.1, kept positive as Lucene does. */
function inverseDocumentFrequency(frequency: number, total: number): number {
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

/** Of nested names of one place the longest says most: "Journal of X" rather than "X". */
function outermostNames(text: string): Name[] {
  const names = readNames(text).filter((name) => name.kind !== 'compound' && nameForm(name.text).length > 1);
  return names.filter(
    (name, i) =>
      !names.some(
        (other, j) =>
          j !== i &&
          other.start <= name.start &&
          other.end >= name.end &&
          (other.end - other.start > name.end - name.start || j < i),
      ),
  );
}
