import type { QuestionClassification, QuestionType } from '#search';

/** Below it, the type that comes next is told, too. */
const SURE = 0.6;
/** So likely that has to be. */
const WORTH_TELLING = 0.25;

export interface LikelyType {
  type: QuestionType;
  /** 0..1; undefined where the classifier does not tell how sure it is. */
  probability?: number;
}

/** The type of a question, and behind it the one that comes next where the classifier is in two minds. */
export function likelyTypes({ type, probabilities, classifier }: QuestionClassification): LikelyType[] {
  // Only the embedded classifier tells how sure it is; null is what was found after looking.
  if (classifier !== 'embedded' || type === 'null') return [{ type }];
  const ranked = (Object.entries(probabilities) as [QuestionType, number][])
    .map(([each, probability]) => ({ type: each, probability }))
    .sort((a, b) => b.probability - a.probability);
  const own = probabilities[type] ?? 0;
  const next = ranked.find((each) => each.type !== type);
  return [{ type, probability: own }, ...(next && own < SURE && next.probability >= WORTH_TELLING ? [next] : [])];
}
