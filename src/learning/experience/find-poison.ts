import { foreignLines, Haystack, type RecordedPassage, type SentPrompt, speaksToModel, termsOf } from '#research';
import type { ExperienceRecord } from './experience-record.ts';

interface SuspectText {
  question: string;
  answer: string;
  /** Passages that the answer rests on, by id. */
  passageIds: readonly string[];
  /** Passages that were shown. */
  passages: readonly RecordedPassage[];
}

/**
 * Why a node must not teach: it cites a passage that was not shown, names or numbers of its answer stand in none of its
 * passages, or one of its texts carries marks of a chat template or characters that people do not see. undefined where
 * nothing speaks against it. The wording of a text is not judged: a run teaches only where its answer was upheld.
 */
export function findPoison({ question, answer, passageIds, passages }: SuspectText): string | undefined {
  const shown = new Map(passages.map((passage) => [passage.id, passage]));
  const foreign = passageIds.find((id) => !shown.has(id));
  if (foreign !== undefined) return `It cites a passage that was not shown (${foreign}).`;
  const addressed = textPoison([
    question,
    answer,
    ...passages.flatMap((passage) => [passage.path, passage.title, passage.text]),
  ]);
  if (addressed !== undefined) return addressed;
  const cited = passageIds.flatMap((id) => shown.get(id) ?? []);
  if (cited.length === 0) return undefined;
  const held = new Haystack(cited.flatMap(({ path, title, text }) => [path, title, text]));
  const missing = termsOf(answer).find((term) => !held.holds(term));
  return missing && `Its passages do not hold "${missing.text}".`;
}

/** The same for a record from a file, which may have been edited or imported: every text in it counts. */
export function poisonOfRecord(record: ExperienceRecord): string | undefined {
  const { id: _, source: __, sent, ...lesson } = record;
  const poison = record.kind === 'reading' ? findPoison(record) : undefined;
  return poison ?? textPoison(textsIn(lesson)) ?? (sent && promptPoison(sent));
}

/** Why a call must not teach: what was put into its prompt, or its reply, is written for a model. */
export const promptPoison = ({ messages, reply }: SentPrompt): string | undefined =>
  textPoison([...foreignLines(messages), reply]);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function textPoison(texts: readonly string[]): string | undefined {
  const addressed = texts.find(speaksToModel);
  return addressed === undefined
    ? undefined
    : `It holds text that is written for a model: "${addressed.trim().slice(0, 60)}".`;
}
