import { cosine } from '../cosine.ts';
import { sentenceCoverage } from '../features/chain-profile.ts';
import { linkedFrom } from '../features/naming.ts';
import { FeatureTable } from '../features/feature-table.ts';
import type { PassageProfile, SentenceProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';

/** A sentence of one of the passages read. */
export interface ReadSentence {
  profile: PassageProfile;
  /** Place of its passage in the chain. */
  hop: number;
  /** Place in its passage. */
  index: number;
  sentence: SentenceProfile;
  text: string;
  /** Embedded as a passage; undefined when embeddings are not at hand. */
  vector?: Float32Array;
}

/** Sentences of the passages in reading order. */
export function sentencesOf(passages: readonly PassageProfile[]): ReadSentence[] {
  return passages.flatMap((profile, hop) => profile.sentences.map((sentence, index) => ({
    profile, hop, index, sentence, text: profile.passage.text.slice(sentence.start, sentence.end),
  })));
}

/** What tells whether a sentence supports the answer. */
export function supportFeatures(question: QuestionProfile, passages: readonly PassageProfile[], sentences: readonly ReadSentence[]): FeatureTable {
  const table = new FeatureTable(sentences.length);
  sentences.forEach(({ profile, hop, index, sentence, vector }, row) => {
    const others = passages.filter((passage) => passage !== profile);
    const namesOther = others.filter((other) => other.titles.some((title) => sentence.form.includes(` ${title} `)) || linkedFrom(profile, other) === index).length;
    const bridges = [...profile.names.values()].filter((entry) => entry.sentence === index && entry.name.kind !== 'number'
      && !question.form.includes(` ${entry.name.key} `) && others.some((other) => other.form.includes(` ${entry.name.key} `))).length;
    const own = profile.sentences.map((each) => sentenceCoverage(question, each));
    const coverage = own[index] ?? 0;
    table.set(row, {
      coverage, namesOther, bridges, hop,
      cosine: cosine(question.vector, vector),
      passageCosine: cosine(question.vector, profile.passage.vector),
      bestOfPassage: Number(coverage > 0 && coverage === Math.max(...own)),
      behindBest: Math.max(...own) - coverage,
      position: index,
      first: Number(index === 0),
      sentences: profile.sentences.length,
      passages: passages.length,
      words: Math.log(1 + sentence.stems.size),
      questionNames: question.names.filter((name) => sentence.form.includes(` ${name.key} `)).length,
      numbers: Number(/\p{N}{3,}/u.test(sentence.form)),
      titleAsked: Number(profile.titles.some((title) => question.form.includes(` ${title} `))),
    });
  });
  table.addStandings(['coverage', 'cosine', 'bridges']);
  table.setAll(question.cues);
  return table;
}
