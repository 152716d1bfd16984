import type { IndexedPassage, PassageIndex } from '#search/lab';
import type { FolderSet } from './folder-sets.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';
import { type FolderPlace, type FolderQuestion, touches } from './unit-cases.ts';

/**
 * A folder's questions as a set that chains learn from: gold are the places of their evidence, and of a question with
 * one place those that say the same, of which any is enough. Questions whose places no passage touches are left out, as
 * are those without an answer.
 */
export async function folderChains({ name, questions }: FolderSet, index: PassageIndex): Promise<QuestionSet> {
  const read = new Map<string, IndexedPassage[]>();
  const idsAt = async (place: FolderPlace): Promise<string[]> => {
    const passages = read.get(place.path) ?? (await index.passagesOf(place.path));
    read.set(place.path, passages);
    return passages.filter((passage) => touches(passage, place)).map(({ id }) => id);
  };
  const asked: TrainingQuestion[] = [];
  for (const question of questions) {
    if (question.type === 'null') continue;
    const places = await placesOf(question, idsAt);
    const gold = [...new Set(places.values())].filter((item) => item !== ALSO);
    if (gold.length === 0) continue;
    const files = [...new Set(question.evidence.map(({ path }) => path))];
    asked.push({
      id: question.id,
      set: name,
      question: question.question,
      answer: question.answer ?? '',
      gold,
      places,
      files,
    });
  }
  return { name, index, questions: asked };
}

/** What passages of further places count as where several places are needed: neither right nor wrong. */
const ALSO = 'also';

/** The places by the passages that touch them; two that share a passage are one. */
async function placesOf(
  { evidence, also }: FolderQuestion,
  idsAt: (place: FolderPlace) => Promise<string[]>,
): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const [i, place] of evidence.entries()) {
    const ids = await idsAt(place);
    const known = ids.flatMap((id) => places.get(id) ?? [])[0];
    for (const id of ids) if (!places.has(id)) places.set(id, known ?? `place ${i + 1}`);
  }
  const only = new Set(places.values()).size === 1 ? [...places.values()][0] : undefined;
  for (const place of also) for (const id of await idsAt(place)) if (!places.has(id)) places.set(id, only ?? ALSO);
  return places;
}
