import {
  type LabelledTrail,
  type QuestionClassification,
  type Retriever,
  type ChainLearner,
  type ChainScorerWeights,
  parseChainScorerWeights,
} from '#search';
import {
  adaptClassifier,
  type ClassifierModel,
  EmbeddedClassifier,
  type LabelledQuestion,
  parseClassifierModel,
  type PredictedType,
  type TypedVector,
} from '#research';
import { splitByQuestion, wholeOf, type Split, isQuestionHeldOut } from '../gate.ts';
import { AS_SHIPPED, beliefShape, type PriorBelief, type PriorBeliefs } from '../strategy/bandit/prior-belief.ts';
import type { TaughtDecision } from '../strategy/decision.ts';
import type { LocalTrainer } from './offline-round.ts';

export const QUESTION_CLASSIFIER = 'question-classifier';

interface QuestionClassifierPorts {
  /** Trails that answered, the user's own and those of questions made from the workspace. */
  trails(signal?: AbortSignal): Promise<LabelledTrail[]>;
  /** The classifier that the product came with. */
  shipped(): Promise<ClassifierModel>;
  /** Questions of all types that are trained on again in each round, so that they are not forgotten. */
  rehearsed(): Promise<LabelledQuestion[]>;
  embed: Retriever['embed'];
  split: Split;
}

/**
 * Question types, learnt further from what it took to answer: a question that one passage answered was a lookup here,
 * one that took several was none, whatever its words suggested. Judged by how many held-out questions get the type that
 * their trail gives them.
 */
export function questionClassifierTrainer({
  trails,
  shipped,
  rehearsed,
  embed,
  split,
}: QuestionClassifierPorts): LocalTrainer {
  const typed = async (
    some: readonly LabelledTrail[],
    signal: AbortSignal,
  ): Promise<(TypedVector & { whole: string })[]> => {
    const teacher = new EmbeddedClassifier(await shipped(), embed);
    const vectors = await embed(
      some.map((trail) => trail.question),
      signal,
    );
    const questions: (TypedVector & { whole: string })[] = [];
    for (const [i, trail] of some.entries()) {
      const vector = vectors[i];
      if (vector)
        questions.push({
          question: trail.question,
          whole: wholeOf(trail),
          vector,
          type: typeByTrail(new Set(trail.passageIds).size, await teacher.classify(trail.question, signal)),
        });
    }
    return questions;
  };
  const sides = async (signal?: AbortSignal): Promise<{ training: LabelledTrail[]; heldOut: LabelledTrail[] }> =>
    splitByQuestion(await trails(signal), split);
  return {
    name: QUESTION_CLASSIFIER,
    least: 20,
    examples: async () => (await sides()).training.length,
    async train(signal) {
      const old = await rehearsed();
      const vectors = await embed(
        old.map(({ question }) => question),
        signal,
      );
      return adaptClassifier(
        await shipped(),
        await typed((await sides(signal)).training, signal),
        old.flatMap((one, i) => {
          const vector = vectors[i];
          return vector ? [{ ...one, vector }] : [];
        }),
      );
    },
    async compare({ before, after }, signal) {
      const [old, fresh] = [
        new EmbeddedClassifier(classifierOf(before) ?? (await shipped()), embed),
        new EmbeddedClassifier(classifierOf(after) ?? (await shipped()), embed),
      ];
      const pairs = [];
      for (const { question, whole, type } of await typed((await sides(signal)).heldOut, signal)) {
        const right = async (classifier: EmbeddedClassifier): Promise<number> =>
          (await classifier.classify(question, signal)).type === type ? 1 : 0;
        pairs.push({ id: whole, before: await right(old), after: await right(fresh) });
      }
      return pairs;
    },
  };
}

/** What is stored in the trainer's slot; undefined: what the product came with. */
export const classifierOf = (stored: unknown): ClassifierModel | undefined =>
  stored === undefined ? undefined : parseClassifierModel(stored, 'what was learnt');

const SEVERAL_PASSAGES = ['inference', 'comparison', 'temporal'] as const satisfies readonly PredictedType[];

/**
 * The type by the number of passages that the answer took, as far as that tells: it decides between lookup and the
 * types of several hops, and leaves to the wording which of those it is. A summary may rest on any number.
 */
export function typeByTrail(
  passages: number,
  { type, probabilities }: Pick<QuestionClassification, 'type' | 'probabilities'>,
): PredictedType {
  if (passages > 1 && type === 'lookup')
    return [...SEVERAL_PASSAGES].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))[0] ?? 'inference';
  if (passages === 1 && type === 'inference') return 'lookup';
  return type === 'null' ? 'inference' : type;
}

export const CHAIN_SCORER = 'chain-scorer';

/**
 * The heads of Beam Retrieval, learnt further from trails that answered; judged by recall@5 and exact chains on
 * questions held out.
 */
export function chainScorerTrainer({
  trails,
  learner,
  split,
}: {
  trails(signal?: AbortSignal): Promise<LabelledTrail[]>;
  learner: ChainLearner;
  split: Split;
}): LocalTrainer {
  const training = async (signal?: AbortSignal): Promise<LabelledTrail[]> =>
    splitByQuestion(await trails(signal), split).training;
  return {
    name: CHAIN_SCORER,
    least: 20,
    examples: async () => (await training()).length,
    train: async (signal) => learner.train(await training(signal), split.seed, signal),
    async compare({ before, after }, signal) {
      const { heldOut } = splitByQuestion(await trails(signal), split);
      const wholes = new Map(heldOut.map((trail) => [trail.id, wholeOf(trail)]));
      const old = await learner.score(weightsOf(before), heldOut, signal);
      const fresh = new Map((await learner.score(weightsOf(after), heldOut, signal)).map((score) => [score.id, score]));
      return old.flatMap((score) => {
        const other = fresh.get(score.id);
        return other ? [{ id: wholes.get(score.id) ?? score.id, before: quality(score), after: quality(other) }] : [];
      });
    },
  };
}

/** What is stored in the trainer's slot; undefined: what the product came with. */
export const weightsOf = (stored: unknown): ChainScorerWeights | undefined =>
  stored === undefined ? undefined : parseChainScorerWeights(stored, 'what was learnt');

const quality = ({ recall5, chainEM }: { recall5: number; chainEM: number }): number => (recall5 + chainEM) / 2;

export const STRATEGY_PRIOR = 'strategy-prior';

interface StrategyPriorPorts {
  /** Runs whose strategy was chosen and that ended: what each was worth and cost. */
  decisions(): Promise<TaughtDecision[]>;
  beliefs: PriorBeliefs;
  split: Split;
}

/**
 * How far the choice of strategies believes what it came with, and by what factors this user's costs and qualities
 * differ from it. Judged by how near the foretold reward comes to that of held-out runs, both sides having learnt from
 * the same other runs.
 */
export function strategyPriorTrainer({ decisions, beliefs, split }: StrategyPriorPorts): LocalTrainer {
  const heldOut = ({ question }: TaughtDecision): boolean => isQuestionHeldOut(question, split);
  const others = async (): Promise<TaughtDecision[]> => (await decisions()).filter((decision) => !heldOut(decision));
  return {
    name: STRATEGY_PRIOR,
    least: 30,
    examples: async () => (await others()).length,
    train: async () => beliefs.fit(await others()),
    async compare({ before, after }) {
      const [taught, asked] = [await others(), (await decisions()).filter(heldOut)];
      const old = beliefs.misses(beliefOf(before) ?? AS_SHIPPED, taught, asked);
      const fresh = beliefs.misses(beliefOf(after) ?? AS_SHIPPED, taught, asked);
      return asked.map((decision, i) => ({
        id: decision.question,
        before: 1 - (old[i] ?? 1),
        after: 1 - (fresh[i] ?? 1),
      }));
    },
  };
}

/**
 * What is stored in the trainer's slot; undefined: the prior as it shipped. Damaged content counts as nothing stored:
 * it holds three numbers, which are soon learnt again.
 */
export const beliefOf = (stored: unknown): PriorBelief | undefined => beliefShape.safeParse(stored).data;
