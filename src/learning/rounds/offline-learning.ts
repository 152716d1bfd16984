import { join } from 'node:path';
import { type ClassifierModel, type LanguageModel, readClassifierModel, readQuestionExamples } from '#research';
import { HoptrailError, jsonOnDisk, OneAtATime, reportError, seededRandom, turnsOnDisk } from '#base';
import type { ChainLearner, LabelledTrail, Passage, Retriever } from '#search';
import { acceptedChains } from '../experience/derive-records.ts';
import { ArtifactSlot } from './artifact-slot.ts';
import type { DecompositionExample } from './example-pool.ts';
import type { ExperienceStore } from '../experience/experience-store.ts';
import { expandQuestions, MadeQuestions } from './expand-questions.ts';
import { limitedModel, mostCalls } from './model-calls.ts';
import { OfflineRound, type LocalTrainer, type OfflineRoundState, type TrainerResult } from './offline-round.ts';
import type { MadeQuestion } from './made-questions.ts';
import { mayBeEmbedded } from '../experience/experience-record.ts';
import {
  CHAIN_SCORER,
  chainScorerTrainer,
  weightsOf,
  classifierOf,
  QUESTION_CLASSIFIER,
  questionClassifierTrainer,
  beliefOf,
  STRATEGY_PRIOR,
  strategyPriorTrainer,
} from './trainers.ts';
import type { StrategySelector } from '../strategy/strategy-selector.ts';
import {
  alike,
  EXAMPLE_POOL,
  examplePoolTrainer,
  poolOf,
  storedExamples,
  withoutExamples,
  type PoolReaders,
} from './example-pool-trainer.ts';

/** What a round learns beside: this workspace's index, and the model that a person has let it ask. */
export interface LearningBench {
  learner: ChainLearner;
  retriever: Pick<Retriever, 'read' | 'embed' | 'passages'>;
  /** Id of the index's embedding model. */
  embedder: string;
  /** Every passage of this workspace: questions are made from them. */
  passages(signal: AbortSignal): Promise<Passage[]>;
  /**
   * undefined: none is asked. Questions are made by templates, and examples for a model are neither chosen nor judged.
   */
  model: LanguageModel | undefined;
  onProgress?(progress: LearningProgress): void;
}

/** How far a round is with what takes long: questions made, and held-out questions compared. */
export interface LearningProgress {
  what: 'questions' | 'examples';
  done: number;
  of: number;
}

interface OfflineLearningOptions {
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

/** A second round was asked for while one runs, here or in another process. */
export class RoundUnderWayError extends HoptrailError {
  readonly code = 'learning-round-under-way';
}

interface LearntInUse {
  trainer: string;
  /** False: what the product came with is in use again. */
  learnt: boolean;
  undoable: boolean;
}

/** Rounds that learn on this machine, and what they put to use. */
export interface OfflineLearning {
  /**
   * Runs a round, or goes on with an interrupted one: `made` new questions from the workspace's own chains, and those
   * of earlier rounds, join those of the user's runs. A model is asked at most as often as {@link mostCalls} says.
   */
  run(
    bench: LearningBench,
    made: number,
    signal: AbortSignal,
    onChange?: (result: TrainerResult) => void,
  ): Promise<OfflineRoundState>;
  /** Questions that rounds have made of these passages, oldest first, with their answers. */
  made(passageIds: ReadonlySet<string>): Promise<readonly MadeQuestion[]>;
  /** The last round; undefined when there was none. */
  current(): Promise<OfflineRoundState | undefined>;
  /** What cannot be read of the last round and of what was learnt, in words. */
  damaged(): Promise<string[]>;
  /**
   * Trainers whose learnt weights are in use now, or whose last winner can still be undone, independent of how the last
   * round ended. What cannot be read is left out.
   */
  inUse(): Promise<LearntInUse[]>;
  /** Undoes what a trainer's winner replaced; false when there is nothing to undo. */
  stepBack(trainer: string, learner: ChainLearner): Promise<boolean>;
  /** Hands what was learnt to an index process that has just started. Touches nothing when nothing was learnt. */
  equip(learner: ChainLearner): Promise<void>;
  /**
   * The user's own decompositions most like this question, of those that these readers know; none before a round has
   * put them to use.
   */
  examples(
    question: string,
    readers: PoolReaders & { embed: Retriever['embed'] },
    signal: AbortSignal,
  ): Promise<DecompositionExample[]>;
  /** Shows no example of these questions any more. */
  forgetExamples(questions: ReadonlySet<string>): Promise<void>;
  /** What was learnt about question types; undefined: the classifier that the product came with. */
  classifier(): Promise<ClassifierModel | undefined>;
  /** What the product came with. `rest`: what goes with it, before; nothing of it is done while a round runs. */
  reset(learner?: ChainLearner, rest?: () => Promise<void>): Promise<void>;
}

/** All trainers, each with what reads its slot: that throws what is wrong with it. */
const READ: Readonly<Record<string, (stored: unknown) => unknown>> = {
  [CHAIN_SCORER]: weightsOf,
  [QUESTION_CLASSIFIER]: classifierOf,
  [STRATEGY_PRIOR]: beliefOf,
  [EXAMPLE_POOL]: storedExamples,
};
const TRAINERS = Object.keys(READ);
const SEED = 1;
const SPLIT = { seed: SEED, share: 0.3 };

export function openOfflineLearning({
  folder,
  experience,
  strategies,
  modelsDir,
  now,
  onProblem,
}: OfflineLearningOptions): OfflineLearning {
  const slot = (trainer: string): ArtifactSlot => new ArtifactSlot(jsonOnDisk(join(folder, `learnt-${trainer}.json`)));
  const roundStore = jsonOnDisk(join(folder, 'offline-round.json'));
  const round = (trainers: readonly LocalTrainer[]): OfflineRound =>
    new OfflineRound({ trainers, store: roundStore, slot, now, random: () => seededRandom(SEED) });
  const madeQuestions = new MadeQuestions(jsonOnDisk(join(folder, 'made-questions.json')), onProblem);
  const unlessDamaged = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      onProblem(error);
      return undefined;
    }
  };
  const equip = async (learner: ChainLearner): Promise<void> =>
    unlessDamaged(async () => {
      const weights = weightsOf(await slot(CHAIN_SCORER).current());
      if (weights) await learner.use(weights);
    });
  const believe = (): Promise<void> =>
    unlessDamaged(async () => strategies.believe(beliefOf(await slot(STRATEGY_PRIOR).current())));
  const used = async (trainer: string): Promise<LearntInUse> => {
    const current = await slot(trainer).current();
    const learnt =
      // Examples that nobody may be shown are not in use.
      trainer === EXAMPLE_POOL ? storedExamples(current).some(({ readBy }) => readBy) : current !== undefined;
    return { trainer, learnt, undoable: await slot(trainer).canStepBack() };
  };
  const turns = new OneAtATime(
    () =>
      new RoundUnderWayError('A round of learning is running already.', { advice: 'Wait for its end, or cancel it.' }),
  );
  const overWindows = turnsOnDisk(
    join(folder, 'round.lock'),
    () =>
      new RoundUnderWayError('A round of learning is running in another window or program.', {
        advice: 'Wait for its end, or cancel it.',
      }),
  );
  const alone = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    turns.run(() => overWindows(work, signal));
  return {
    run: (bench, made, signal, onChange) =>
      alone(async () => {
        const { learner, retriever, embedder } = bench;
        const calls = mostCalls(made);
        const embed: Retriever['embed'] = (texts, stop) => retriever.embed(texts, stop);
        let known: Promise<LabelledTrail[]> | undefined; // the same trails for training and for comparing
        const trails = (): Promise<LabelledTrail[]> =>
          (known ??= trailsOf(
            bench,
            { round: begun.started, made, calls: calls.questions },
            { experience, madeQuestions, onProblem },
            signal,
          ).catch((error: unknown) => {
            known = undefined; // the next trainer may have more luck
            throw error;
          }));
        const beliefs = strategies.beliefs();
        const trainers = [
          chainScorerTrainer({
            trails: async (stop) => stillHere(await trails(), retriever, stop),
            learner,
            split: SPLIT,
          }),
          questionClassifierTrainer({
            trails,
            shipped: () => readClassifierModel(join(modelsDir, 'question-classifier.json')),
            rehearsed: () => readQuestionExamples(join(modelsDir, 'question-examples.json')),
            embed,
            split: SPLIT,
          }),
          ...(beliefs ? [strategyPriorTrainer({ decisions: () => strategies.taught(), beliefs, split: SPLIT })] : []),
          ...(bench.model
            ? [
                examplePoolTrainer({
                  records: () => experience.lessons({ kind: 'decomposition' }),
                  model: limitedModel(bench.model, calls.examples),
                  embedder,
                  embed,
                  split: SPLIT,
                  onProgress: (done, of) => bench.onProgress?.({ what: 'examples', done, of }),
                }),
              ]
            : []),
        ];
        const rounds = round(trainers);
        const begun = await rounds.begin();
        try {
          return await rounds.run(signal, onChange);
        } finally {
          // what won before a round was cancelled, or failed, is in use
          await equip(learner);
          await believe();
        }
      }, signal),
    made: (passageIds) => madeQuestions.over(passageIds),
    async damaged() {
      const problems: string[] = [];
      const learnt = Object.entries(READ).map(
        ([trainer, read]) =>
          async (): Promise<unknown> =>
            read(await slot(trainer).current()),
      );
      for (const read of [() => round([]).current(), ...learnt])
        await read().catch((error: unknown) => problems.push(reportError(error).message));
      return problems;
    },
    inUse: async () =>
      (await Promise.all(TRAINERS.map((trainer) => unlessDamaged(() => used(trainer))))).filter(
        (one): one is LearntInUse => one !== undefined && (one.learnt || one.undoable),
      ),
    current: () => round([]).current(),
    stepBack: (trainer, learner) =>
      alone(async () => {
        const went = await round([]).stepBack(trainer);
        if (went && trainer === CHAIN_SCORER) await learner.use(weightsOf(await slot(CHAIN_SCORER).current()));
        if (went && trainer === STRATEGY_PRIOR) await believe();
        return went;
      }),
    equip,
    classifier: () => unlessDamaged(async () => classifierOf(await slot(QUESTION_CLASSIFIER).current())),
    examples: async (question, { embed, ...readers }, signal) =>
      alike(question, poolOf(await slot(EXAMPLE_POOL).current(), readers), embed, signal),
    forgetExamples: (questions) =>
      alone(() => slot(EXAMPLE_POOL).revise((stored) => withoutExamples(stored, questions))),
    reset: (learner, rest) =>
      alone(async () => {
        await rest?.();
        for (const trainer of TRAINERS) await slot(trainer).reset();
        await believe();
        await roundStore.save(undefined);
        await madeQuestions.forget();
        await learner?.use(undefined);
      }),
  };
}

/** What a round makes questions for: its start tells it from others. */
interface Making {
  round: number;
  made: number;
  /** Calls of a model that may be spent on it. */
  calls: number;
}

/**
 * Those all of whose passages this index has: of runs in another workspace, or of files that have changed since, it has
 * not, and a search here can neither learn from them nor be judged by them.
 */
async function stillHere(
  trails: readonly LabelledTrail[],
  retriever: Pick<Retriever, 'passages'>,
  signal?: AbortSignal,
): Promise<LabelledTrail[]> {
  const ids = [...new Set(trails.flatMap(({ passageIds }) => passageIds))];
  const here = new Set((await retriever.passages(ids, signal)).map(({ id }) => id));
  return trails.filter(({ passageIds }) => passageIds.every((id) => here.has(id)));
}

/**
 * Trails of runs that ended well, and of questions made from this workspace now or before (each checked: answerable,
 * every hop needed, new).
 */
async function trailsOf(
  bench: LearningBench,
  making: Making,
  {
    experience,
    madeQuestions,
    onProblem,
  }: Pick<OfflineLearningOptions, 'experience' | 'onProblem'> & { madeQuestions: MadeQuestions },
  signal: AbortSignal,
): Promise<LabelledTrail[]> {
  const readings = (await experience.lessons({ kind: 'reading' })).filter(({ source }) =>
    mayBeEmbedded(source, bench.embedder),
  );
  const accepted = acceptedChains(readings).map(({ question, runQuestion, runId, passages }, i): LabelledTrail => ({
    id: `${runId}/${i}`,
    question,
    runQuestion,
    passageIds: passages.map((passage) => passage.id),
  }));
  if (making.made === 0) return accepted;
  const passages = await bench.passages(signal);
  const here = new Set(passages.map(({ id }) => id));
  if (!(await madeQuestions.madeIn(making.round))) {
    const known = [...accepted, ...(await madeQuestions.over(here))].map(({ question }) => question);
    const { retriever, model, onProgress } = bench;
    const { questions, problem } = await expandQuestions(
      {
        passages,
        retriever,
        ...(model && { model: limitedModel(model, making.calls) }),
        known,
        // Each round draws others, and the same ones wherever it starts from the same.
        random: seededRandom(SEED + (await madeQuestions.rounds()) + known.length),
        onProgress: (done, of) => onProgress?.({ what: 'questions', done, of }),
      },
      making.made,
      signal,
    );
    if (problem !== undefined) onProblem(problem);
    await madeQuestions.add(making.round, questions);
  }
  const made = (await madeQuestions.over(here)).map(({ question, passageIds }, i): LabelledTrail => ({
    id: `made/${i}`,
    question,
    runQuestion: `made of ${passageIds.join(' ')}`,
    passageIds,
  }));
  return [...accepted, ...made];
}
