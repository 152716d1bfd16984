import type { FeatureRow } from '../features/candidate-features.ts';
import { cosine } from '../cosine.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';

/** What tells whether the answer of a yes-or-no question is yes: whether what is asked of both holds of both. */
export function yesFeatures(question: QuestionProfile, passages: readonly PassageProfile[]): FeatureRow {
  const nameWords = new Set(question.names.flatMap((name) => name.key.split(' ')));
  const asked = question.stems.filter((key, i) => !nameWords.has(key) && !nameWords.has(question.words[i] ?? ''));
  const shares = passages.map((passage) => (asked.length === 0 ? 0 : asked.filter((key) => passage.counts.has(key)).length / asked.length));
  const [a, b] = [passages[0], passages.at(-1)];
  const leads = [a, b].map((passage) => passage?.sentences[0]?.stems ?? new Set<string>());
  const shared = [...(leads[0] ?? [])].filter((key) => leads[1]?.has(key));
  const names = [...(a?.names.keys() ?? [])].filter((key) => b?.names.has(key) && !question.form.includes(` ${key} `));
  return {
    lowestShare: Math.min(1, ...shares),
    highestShare: Math.max(0, ...shares),
    sharedLead: shared.length,
    sharedLeadShare: shared.length / Math.max(1, Math.min(leads[0]?.size ?? 0, leads[1]?.size ?? 0)),
    sharedNames: names.length,
    cosine: cosine(a?.passage.vector, b?.passage.vector),
    same: Number(/\bsame\b/i.test(question.text)),
    both: Number(/\bboth\b/i.test(question.text)),
    passages: passages.length,
  };
}
