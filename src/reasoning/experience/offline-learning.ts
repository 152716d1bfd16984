import { join } from 'node:path';
import type { LanguageModel } from '../../llm/language-model.ts';
import { HoptrailError } from '../../model/error-report.ts';
import type { Passage } from '../../model/passage.ts';
import type { ChainLearner, LabelledTrail } from '../../retrieval/learning/chain-learner.ts';
import { seededRandom } from '../../retrieval/learning/random.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { acceptedChains } from './accepted-chains.ts';
import { ArtifactSlot } from './artifact-slot.ts';
import { decompositionExamples, type DecompositionExample } from './example-pool.ts';
import type { ExperienceStore } from './experience-store.ts';
import { expandQuestions } from './expansion/expand-questions.ts';
import { jsonOnDisk } from './line-file.ts';
import { OfflineRound, type LocalTrainer, type OfflineRoundState, type TrainerResult } from './offline-round.ts';
import { CHAIN_SCORER, chainScorerTrainer, weightsOf } from './trainers/chain-scorer-trainer.ts';
import { readClassifierModel, type ClassifierModel } from '../classify/classifier-model.ts';
import { readQuestionExamples } from '../classify/question-examples.ts';
import type { StrategySelector } from '../strategy/create-strategy-selector.ts';
import { alike, EXAMPLE_POOL, examplePoolTrainer, poolOf } from './trainers/example-pool-trainer.ts';
import { classifierOf, QUESTION_CLASSIFIER, questionClassifierTrainer } from './trainers/question-classifier-trainer.ts';
import { beliefOf, STRATEGY_PRIOR, strategyPriorTrainer } from './trainers/strategy-prior-trainer.ts';

/** What a round learns beside: this workspace's index, and the model at hand. */
export interface LearningBench {
  learner: ChainLearner;
  retriever: Pick<Retriever, 'read' | 'embed'>;
  /** Every passage of this workspace: questions are made from them. */
  passages(signal: AbortSignal): Promise<Passage[]>;
  /** undefined: questions are made by templates, and examples for a model are not judged. */
  model: LanguageModel | undefined;
}

export interface OfflineLearningOptions {
  folder: string;
  experience: ExperienceStore;
  /** The choice of strategies, whose prior a round may learn to believe more or less. */
  strategies: Pick<StrategySelector, 'taught' | 'believe' | 'beliefs'>;
  /** Folder with question-classifier.json and question-examples.json. */
  modelsDir: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of learnt files that cannot be read: the product goes on with what it came with. */
  onProblem(error: unknown): void;
}

/** A second round was asked for while one runs. */
export class RoundUnderWayError extends HoptrailError {
  readonly code = 'learning-round-under-way';
}

export interface LearntInUse {
  trainer: string;
  /** False: what the product came with is in use again. */
  learnt: boolean;
  undoable: boolean;
}

/** Rounds that learn on this machine, and what they put to use. */
export interface OfflineLearning {
  /** Runs a round, or goes on with an interrupted one: `made` questions from the workspace's own chains join those of the user's runs. */
  run(bench: LearningBench, made: number, signal: AbortSignal, onChange?: (result: TrainerResult) => void): Promise<OfflineRoundState>;
  /** The last round; undefined when there was none. */
  current(): Promise<OfflineRoundState | undefined>;
  /** Trainers whose learnt weights are in use now, whatever the last round came to, or whose step back is open. */
  inUse(): Promise<LearntInUse[]>;
  /** Undoes what a trainer's winner replaced; false when there is nothing to undo. */
  stepBack(trainer: string, learner: ChainLearner): Promise<boolean>;
  /** Hands what was learnt to an index process that has just started. Touches nothing when nothing was learnt. */
  equip(learner: ChainLearner): Promise<void>;
  /** The user's own decompositions most like this question; none before a round has put them to use. */
  examples(question: string, embed: Retriever['embed'], signal: AbortSignal): Promise<DecompositionExample[]>;
  /** What was learnt about question types; undefined: the classifier that the product came with. */
  classifier(): Promise<ClassifierModel | undefined>;
  /** What the product came with. */
  reset(learner?: ChainLearner): Promise<void>;
}

const TRAINERS = [CHAIN_SCORER, QUESTION_CLASSIFIER, STRATEGY_PRIOR, EXAMPLE_POOL];
const SEED = 1;
const SPLIT = { seed: SEED, share: 0.3 };

export function openOfflineLearning({ folder, experience, strategies, modelsDir, now, onProblem }: OfflineLearningOptions): OfflineLearning {
  const slot = (trainer: string): ArtifactSlot => new ArtifactSlot(jsonOnDisk(join(folder, `learnt-${trainer}.json`)));
  const round = (trainers: readonly LocalTrainer[]): OfflineRound => new OfflineRound({ trainers, store: jsonOnDisk(join(folder, 'offline-round.json')), slot, now, random: () => seededRandom(SEED) });
  const equip = async (learner: ChainLearner): Promise<void> => {
    try {
      const weights = weightsOf(await slot(CHAIN_SCORER).current());
      if (weights) await learner.use(weights);
    } catch (error) {
      onProblem(error);
    }
  };
  const believe = async (): Promise<void> => {
    try {
      await strategies.believe(beliefOf(await slot(STRATEGY_PRIOR).current()));
    } catch (error) {
      onProblem(error);
    }
  };
  let running = false;
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running) throw new RoundUnderWayError('A round of learning is running already.', { advice: 'Wait for its end, or cancel it.' });
    running = true;
    try {
      return await work();
    } finally {
      running = false;
    }
  };
  return {
    run: (bench, made, signal, onChange) => alone(async () => {
      const { learner, retriever, model } = bench;
      let known: Promise<LabelledTrail[]> | undefined; // the same trails for training and for comparing
      const trails = (): Promise<LabelledTrail[]> => (known ??= trailsOf(experience, bench, made, signal));
      const beliefs = strategies.beliefs();
      const trainers = [
        chainScorerTrainer({ trails, learner, split: SPLIT }),
        questionClassifierTrainer({ trails, shipped: () => readClassifierModel(join(modelsDir, 'question-classifier.json')), rehearsed: () => readQuestionExamples(join(modelsDir, 'question-examples.json')), embed: (texts, stop) => retriever.embed(texts, stop), split: SPLIT }),
        ...(beliefs ? [strategyPriorTrainer({ decisions: () => strategies.taught(), beliefs, split: SPLIT })] : []),
        ...(model ? [examplePoolTrainer({ examples: async () => decompositionExamples(await experience.list({ kind: 'decomposition' })), model, embed: (texts, stop) => retriever.embed(texts, stop), split: SPLIT })] : []),
      ];
      const state = await round(trainers).run(signal, onChange);
      await equip(learner);
      await believe();
      return state;
    }),
    inUse: () => Promise.all(TRAINERS.map(async (trainer): Promise<LearntInUse> => ({ trainer, learnt: (await slot(trainer).current()) !== undefined, undoable: await slot(trainer).canStepBack() })))
      .then((all) => all.filter(({ learnt, undoable }) => learnt || undoable)),
    current: () => round([]).current(),
    stepBack: (trainer, learner) => alone(async () => {
      const went = await round([]).stepBack(trainer);
      if (went && trainer === CHAIN_SCORER) await learner.use(weightsOf(await slot(CHAIN_SCORER).current()));
      if (went && trainer === STRATEGY_PRIOR) await believe();
      return went;
    }),
    equip,
    async classifier() {
      try {
        return classifierOf(await slot(QUESTION_CLASSIFIER).current());
      } catch (error) {
        onProblem(error);
        return undefined;
      }
    },
    examples: async (question, embed, signal) => alike(question, poolOf(await slot(EXAMPLE_POOL).current()), embed, signal),
    reset: (learner) => alone(async () => {
      for (const trainer of TRAINERS) await slot(trainer).reset();
      await believe();
      await jsonOnDisk(join(folder, 'offline-round.json')).save(undefined);
      await learner?.use(undefined);
    }),
  };
}

/** Trails of runs that ended well, and of questions made from this workspace (each checked: answerable, every hop needed, new). */
async function trailsOf(experience: ExperienceStore, { retriever, passages, model }: LearningBench, made: number, signal: AbortSignal): Promise<LabelledTrail[]> {
  const accepted = acceptedChains(await experience.list({ kind: 'reading' })).map(({ question, runId, passages: trail }, i): LabelledTrail => ({ id: `${runId}/${i}`, question, passageIds: trail.map((passage) => passage.id) }));
  if (made === 0) return accepted;
  const { questions } = await expandQuestions({ passages: await passages(signal), retriever, ...(model && { model }), known: accepted.map(({ question }) => question), random: seededRandom(SEED) }, made, signal);
  return [...accepted, ...questions.map(({ question, passageIds }, i): LabelledTrail => ({ id: `made/${i}`, question, passageIds: [...passageIds] }))];
}
