import { expression } from '#base';
import { nameForm, readNames, type Name } from '../../text/names.ts';
import { contentStems, contentWords, stem } from '../../text/words.ts';
import { formOf } from './passage-profile.ts';

/** A question taken apart: what features and candidate searches are computed from. */
export interface QuestionProfile {
  text: string;
  /** L2-normalised query embedding; undefined when nothing is embedded yet. */
  vector: Float32Array | undefined;
  /** Where it is looked for among passages; `vector` where the embedder has nothing to say of that. */
  moved: Float32Array | undefined;
  /** Distinct content stems in order. */
  stems: string[];
  /** The words behind `stems`, as plain text, for queries. */
  words: string[];
  /** Inverse document frequency per stem (natural logarithm, 0 at least). */
  idf: Map<string, number>;
  totalIdf: number;
  /** Names in the question, longest first where they nest. */
  names: Name[];
  form: string;
  /** Adjacent pairs of content stems. */
  pairs: [string, string][];
  /** 0/1 cues of what kind of question it is, by name. */
  cues: Record<CueName, number>;
}

type CueName =
  'who' | 'when' | 'where' | 'howMany' | 'which' | 'yesNo' | 'comparison' | 'relative' | 'of' | 'possessive';

const CUES: Record<CueName, RegExp> = {
  who: /\bwho(?:m|se)?\b/i,
  when: /\b(?:when|what year|which year|what date|date of|how old)\b/i,
  where: /\b(?:where|what (?:city|country|place|county|state)|which (?:city|country|place|county|state))\b/i,
  howMany: /\bhow (?:many|much|long|far|often|large|tall|big|high)\b/i,
  which: /\b(?:which|what)\b/i,
  yesNo: /^\s*(?:are|is|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i,
  comparison: expression('i')`
    \b(?:same|both|either|older|younger|earlier|later|first|more|fewer|larger|longer|taller|or|than|common|between|
      difference)\b
  `,
  relative: /\b(?:who|which|that|whose|where)\b/gi,
  of: /\bof\b/gi,
  possessive: /['’]s\b/gi,
};

/** Distinct content words of a question with their stems: the terms whose document frequencies the profile needs. */
export function questionTerms(text: string): { word: string; stem: string }[] {
  const seen = new Map<string, string>();
  for (const word of contentWords(text)) {
    const key = stem(word.text);
    if (!seen.has(key)) seen.set(key, word.text);
  }
  return [...seen].map(([key, word]) => ({ word, stem: key }));
}

/** @param frequencies Documents that hold each of `questionTerms(text)`, in that order, of `total`. */
export function profileQuestion(
  text: string,
  vector: Float32Array | undefined,
  frequencies: readonly number[],
  total: number,
  moved = vector,
): QuestionProfile {
  const terms = questionTerms(text);
  const idf = new Map<string, number>();
  let totalIdf = 0;
  terms.forEach((term, i) => {
    const value = inverseDocumentFrequency(frequencies[i] ?? 0, total);
    idf.set(term.stem, value);
    totalIdf += value;
  });
  const ordered = contentStems(text);
  const pairs: [string, string][] = [];
  for (let i = 1; i < ordered.length; i++) pairs.push([ordered[i - 1] ?? '', ordered[i] ?? '']);
  return {
    text,
    vector,
    moved,
    idf,
    totalIdf,
    pairs,
    stems: terms.map((term) => term.stem),
    words: terms.map((term) => term.word),
    names: questionNames(text),
    form: formOf(text),
    cues: readCues(text),
  };
}

/** BM25's form of it, Robertson and Zaragoza (2009), §3.1, kept positive as Lucene does. */
function inverseDocumentFrequency(frequency: number, total: number): number {
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

function questionNames(text: string): Name[] {
  const names = readNames(text).filter((name) => name.kind !== 'compound' && nameForm(name.text).length > 1);
  // Of nested names of one place the longest says most: "Journal of X" rather than "X".
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

function readCues(text: string): Record<CueName, number> {
  const cues = {} as Record<CueName, number>;
  for (const [name, pattern] of Object.entries(CUES) as [CueName, RegExp][]) {
    cues[name] = pattern.global ? [...text.matchAll(pattern)].length : Number(pattern.test(text));
  }
  return cues;
}
