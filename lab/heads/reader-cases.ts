import {
  type Embedder,
  embedSentences,
  type IndexedPassage,
  nameForm,
  type PassageProfile,
  type PassageProfiles,
  type QuestionProfile,
  type ReadSentence,
  sentencesOf,
} from '#search/lab';
import type { TrainingQuestion } from './question-sets.ts';
import type { TrainingSetting } from './recorded-search.ts';

/** Passages that the reader is given for a question, with what it should make of them. */
export interface ReaderCase {
  question: TrainingQuestion;
  /**
   * Where the passages come from: the right ones, a search in a setting, or a search of a corpus that the question is
   * not about.
   */
  set: 'gold' | 'elsewhere' | TrainingSetting;
  profile: QuestionProfile;
  passages: PassageProfile[];
  sentences: ReadSentence[];
  /**
   * Whether these passages are the evidence asked for; `undefined` when they hold only some of it, which teaches
   * nothing about refusing.
   */
  answerable: boolean | undefined;
  /**
   * `refusing`: teaches only whether there is an answer; its passages say nothing about which sentences and spans are
   * right.
   */
  teaches: 'all' | 'refusing';
}

export async function readerCase(
  question: TrainingQuestion,
  set: ReaderCase['set'],
  profile: QuestionProfile,
  passages: readonly IndexedPassage[],
  answerable: boolean | undefined,
  teaches: ReaderCase['teaches'],
  ports: { embedder: Embedder; profiles: PassageProfiles },
): Promise<ReaderCase> {
  const profiles = passages.map((passage) => ports.profiles.of(passage));
  return {
    question,
    set,
    profile,
    passages: profiles,
    sentences: await embedSentences(profile, sentencesOf(profiles), profiles.length, ports.embedder),
    answerable,
    teaches,
  };
}

/**
 * Weak labels, as the sets name passages only: a sentence of a gold passage supports when it says the answer or names
 * another gold passage; of a gold passage without such a sentence, the one that says most of the question.
 */
export function supportLabels({ question, passages, sentences }: ReaderCase, coverage: ArrayLike<number>): number[] {
  const gold = new Set(question.gold);
  const answer = ` ${nameForm(question.answer)} `;
  const yesNo = /^(?:yes|no)$/i.test(question.answer);
  const labels = sentences.map(({ profile, sentence }) => {
    if (!gold.has(profile.passage.id)) return 0;
    const others = passages.filter((passage) => passage !== profile && gold.has(passage.passage.id));
    return Number(
      (!yesNo && sentence.form.includes(answer)) ||
        others.some((other) => other.titles.some((title) => sentence.form.includes(` ${title} `))),
    );
  });
  for (const passage of passages.filter((each) => gold.has(each.passage.id))) {
    const own = sentences.flatMap((sentence, i) => (sentence.profile === passage ? [i] : []));
    if (own.some((i) => labels[i] === 1)) continue;
    const best = own.sort((a, b) => (coverage[b] ?? 0) - (coverage[a] ?? 0) || a - b)[0];
    if (best !== undefined) labels[best] = 1;
  }
  return labels;
}

/** Whether a span says the answer: the same words, whatever their case, accents and articles. */
export const saysAnswer = (key: string, question: TrainingQuestion): boolean =>
  key !== '' && key === nameForm(question.answer);
