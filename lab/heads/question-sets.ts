import path from 'node:path';
import { z } from 'zod';
import { addTo, hashOf } from '#base';
import type { Embedder, PassageIndex, QuestionMap } from '#search/lab';
import {
  collectPassages,
  loadQuestions,
  readLines,
  toIndexPassages,
  type DatasetPassage,
} from '../evaluation/dataset.ts';
import { embeddedIndex } from './memory-passage-index.ts';

/** A question with its gold passages, in one or two settings. */
export interface TrainingQuestion {
  id: string;
  /** Id of the question that this one was made from: cross-validation keeps them together. */
  partOf?: string;
  set: string;
  question: string;
  answer: string;
  gold: readonly string[];
  /** What `gold` names; passage ids where unset. */
  goldIs?: 'passages' | 'files';
  /** Places that `gold` names in passages' stead, by the ids of the passages that touch one. */
  places?: ReadonlyMap<string, string>;
  /** Files that the places are in. */
  files?: readonly string[];
  /** The question's own candidates (the distractor setting); undefined when it has none. */
  pool?: readonly string[];
}

/** A corpus with the questions about it. */
export interface QuestionSet {
  name: string;
  index: PassageIndex;
  questions: TrainingQuestion[];
  /** Where its questions are looked for, learnt without them; left out: where the embedder says. */
  moveQuestion?: QuestionMap;
}

/** The development sets with gold chains, each pooled over its own passages. */
export const WIKIPEDIA_SETS = ['musique', 'hotpotqa', '2wikimultihopqa'] as const;

export async function loadWikipediaSet(dataDir: string, name: string, embedder: Embedder): Promise<QuestionSet> {
  const questions = loadQuestions(path.join(dataDir, `${name}.jsonl`));
  return {
    name,
    index: await indexOf(collectPassages(questions), embedder),
    questions: questions.map((question): TrainingQuestion => ({
      id: question.id,
      set: name,
      question: question.question,
      answer: question.answer,
      gold: question.supporting,
      pool: question.passages.map((passage) => passage.id),
    })),
  };
}

const textShape = z.object({ title: z.string().nullable(), text: z.string() });
const evidenceShape = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  evidence: z.array(textShape),
  distractors: z.array(textShape).default([]),
});

/**
 * Questions that come with evidence only: the passages of all of them together are the corpus, so that each has hard
 * negatives in the others.
 */
export async function loadEvidenceSet(dataDir: string, embedder: Embedder): Promise<QuestionSet> {
  const passages = new Map<string, DatasetPassage>();
  const questions: TrainingQuestion[] = [];
  for (const entry of readLines(path.join(dataDir, 'train', 'hotpotqa.evidence.jsonl'), evidenceShape)) {
    if (entry.evidence.some((evidence) => evidence.title === null)) continue;
    const own = joinByTitle(entry.evidence);
    const rivals = joinByTitle(entry.distractors);
    for (const passage of [...own, ...rivals]) passages.set(passage.id, passage);
    if (own.length < 2) continue;
    questions.push({
      id: entry.id,
      set: 'hotpotqa-evidence',
      question: entry.question,
      answer: entry.answer,
      gold: own.map((passage) => passage.id),
      pool: rivals.length > 0 ? [...own, ...rivals].map((passage) => passage.id) : undefined,
    });
  }
  return { name: 'hotpotqa-evidence', index: await indexOf([...passages.values()], embedder), questions };
}

/** Sentences of one title make one passage. */
function joinByTitle(texts: readonly z.infer<typeof textShape>[]): DatasetPassage[] {
  const byTitle = new Map<string, string[]>();
  for (const { title, text } of texts) addTo(byTitle, title ?? '', text);
  return [...byTitle].map(([title, parts]) => {
    const text = [...new Set(parts)].join(' ');
    return { id: hashOf(`${title}\n${text}`, 12), title, text };
  });
}

export const indexOf = (passages: readonly DatasetPassage[], embedder: Embedder): Promise<PassageIndex> =>
  embeddedIndex(toIndexPassages(passages), embedder);
