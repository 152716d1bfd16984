/** An index, a language model and what was learnt, together: what answers. Made in hoptrail.ts, and nowhere else. */
import {
  type ClassifierByName,
  createResearcher,
  defaultResearchOptions,
  type LanguageModel,
  NoModelError,
  provenQuestions,
  type QuestionClassifier,
  type ResearchEvent,
  type ResearchOptions,
  type RunRecord,
  type SelectStrategy,
  suggestQuestions,
} from '#research';
import type { ChainLearner, IndexService, IndexState, Passage, Question, Retriever } from '#search';
import {
  answerMade,
  type AnsweredQuestions,
  CALLS_PER_MADE,
  type Learning,
  type LearningProgress,
  type OfflineRoundState,
  type Provenance,
  provenanceOf,
  type TrainerResult,
} from '#learning';
import { HoptrailError } from '#base';

/** The process that holds ONNX Runtime and LanceDB, as the engine sees it. */
export interface IndexProcess {
  index: IndexService;
  retriever: Retriever;
  learner: ChainLearner;
  onState(listener: (state: IndexState) => void): () => void;
  dispose(): Promise<void>;
  /** Undefined while none runs. */
  readonly pid?: number;
}

export interface EnginePorts {
  indexProcess: IndexProcess;
  model?: LanguageModel;
  /** Classifiers by name; each may use the model of the run. */
  classifier: ClassifierByName;
  /** Chooses strategies and learns from how runs end; undefined: every type's usual plan, and nothing is kept. */
  learning?: Learning;
  /** Gets what runs record, where nothing is learnt from them here: an evaluation that knows the right answers. */
  onNode?(record: RunRecord, provenance: Provenance): void;
  /** Chooses strategies instead of what was learnt: an evaluation that tries them all. */
  selectStrategy?: SelectStrategy;
  /** Resolves when there is something to be searched, or as much as a question is to wait for; tells that it waits. */
  ready?(signal: AbortSignal, waits: () => void): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
}

/** Who asks a run's question, and whom. */
interface Asking {
  /** The language model of this run; undefined: none. */
  model: LanguageModel | undefined;
  /** A round of learning asks: no person has fixed its strategy, and the choice of strategies learns nothing of it. */
  byRound?: boolean;
}

/** A round of learning as a person wants it. */
interface LearnRequest {
  /** Questions to make from the workspace's own chains. */
  made: number;
  /**
   * The person has let it ask the language model, at most as often as `mostCalls` says, and send it passages of this
   * workspace; else no model is asked.
   */
  withModel?: boolean;
  onProgress?(progress: LearningProgress): void;
}

export interface Engine {
  readonly index: IndexService;
  readonly retriever: Retriever;
  readonly learner: ChainLearner;
  readonly model: LanguageModel | undefined;
  readonly learning: Learning | undefined;
  /**
   * One round of learning on this machine (RISE): see offline-learning.ts. @throws LearningOffError without `learning`,
   * NoModelError when there is none to ask
   */
  learn(
    request: LearnRequest,
    signal: AbortSignal,
    onChange?: (result: TrainerResult) => void,
  ): Promise<OfflineRoundState>;
  /**
   * Answers the questions that rounds have made of this workspace, for the next round to learn from: by RISE's loop
   * where there is a model, which is asked at most {@link CALLS_PER_MADE} times for each, else by quotes. At most
   * `made` are asked, and none of `known`, which gains them. @throws LearningOffError without `learning`, NoModelError
   * when there is none to ask
   */
  answerMade(
    request: Pick<LearnRequest, 'made' | 'withModel'> & {
      known: Set<string>;
      onProgress?(done: number, of: number): void;
    },
    signal: AbortSignal,
  ): Promise<AnsweredQuestions>;
  /** Undoes what a round put to use. Also after a reset. */
  unlearn(trainer?: string): Promise<boolean>;
  onIndexState(listener: (state: IndexState) => void): () => void;
  /** Process id of the index process; undefined while none runs. */
  readonly indexPid: number | undefined;
  /**
   * A run as a stream of events; never throws but through a run-error event. `asking`: the language model of this run
   * alone, or none, instead of the engine's.
   */
  research(
    question: Question,
    options?: Partial<ResearchOptions>,
    signal?: AbortSignal,
    asking?: Asking,
  ): AsyncIterable<ResearchEvent>;
  /** The classifier of that name over this engine's encoder and model. */
  classifier(name: ResearchOptions['classifier']): QuestionClassifier;
  setModel(model: LanguageModel | undefined): void;
  /**
   * Up to three questions made from this workspace's own index, each run before without a language model: see
   * {@link provenQuestions}. Nothing is learnt from these runs. Those found so far when the signal aborts.
   */
  suggestions(signal: AbortSignal): Promise<string[]>;
  dispose(): Promise<void>;
}

/** This engine neither uses nor keeps what is learnt. */
export class LearningOffError extends HoptrailError {
  readonly code = 'learning-off';
}

export function createEngine(ports: EnginePorts): Engine {
  const { indexProcess, learning } = ports;
  const { index, retriever, learner } = indexProcess;
  let model = ports.model;
  let embedder: string | undefined;
  const rounds = (): Learning['rounds'] => {
    if (!learning) throw new LearningOffError('Learning is off here.', { advice: 'Turn it on in the settings.' });
    return learning.rounds;
  };
  const engine: Engine = {
    index: {
      ...index,
      open: async (config) => {
        const state = await index.open(config);
        embedder = state.embedderId;
        await learning?.rounds.equip(learner);
        return state;
      },
    },
    retriever,
    learner,
    get model() {
      return model;
    },
    onIndexState: (listener) => indexProcess.onState(listener),
    get indexPid() {
      return indexProcess.pid;
    },
    classifier: (name) => ports.classifier(name, model),
    research(question, options = {}, signal = new AbortController().signal, asking: Asking = { model }) {
      const complete: ResearchOptions = { ...defaultResearchOptions, ...options };
      const asked = asking.model;
      const research = createResearcher({
        retriever: indexProcess.retriever,
        model: asked,
        classifier: ports.classifier(complete.classifier, asked),
        ready: ports.ready,
        selectStrategy: ports.selectStrategy ?? ports.learning?.select,
        noteStrategy: asking.byRound ? undefined : ports.learning?.note,
        examples:
          learning &&
          asked &&
          (async (text, stop) =>
            learning.rounds.examples(
              text,
              {
                model: asked,
                embedder: (await index.state()).embedderId,
                embed: (texts, end) => retriever.embed(texts, end),
              },
              stop,
            )),
        onNode: complete.record
          ? (record) => (learning ?? ports).onNode?.(record, provenanceOf(asked, embedder))
          : undefined,
        now: ports.now,
        newId: ports.newId,
      });
      return observed(research(question, complete, signal), (event) => {
        if (complete.record) ports.learning?.observe(event);
      });
    },
    setModel(next) {
      model = next;
    },
    suggestions: async (signal) =>
      provenQuestions(
        await suggestQuestions(indexProcess.index),
        (text, stop) => engine.research({ text, history: [] }, { record: false }, stop, { model: undefined }),
        signal,
      ),
    learning,
    learn: async ({ made, withModel = false, onProgress }, signal, onChange) => {
      const learnt = rounds();
      if (withModel && !model) throw new NoModelError();
      const { embedderId } = await index.state();
      return learnt.run(
        {
          learner,
          retriever,
          embedder: embedderId,
          model: withModel ? model : undefined,
          passages: (stop) => allPassages(index, stop),
          ...(onProgress && { onProgress }),
        },
        made,
        signal,
        onChange,
      );
    },
    answerMade: async ({ made, withModel = false, known, onProgress }, signal) => {
      const learnt = rounds();
      if (withModel && !model) throw new NoModelError();
      const here = new Set((await allPassages(index, signal)).map(({ id }) => id));
      const { budget } = defaultResearchOptions;
      const answered = await answerMade(
        {
          made: () => learnt.made(here),
          most: made,
          ask: (text) =>
            engine.research(
              { text, history: [] },
              { record: true, operator: 'self-critical', budget: { ...budget, calls: CALLS_PER_MADE } },
              signal,
              { model: withModel ? model : undefined, byRound: true },
            ),
          judge: (runId, f1) => learning?.knownAnswer(runId, f1) ?? false,
        },
        known,
        signal,
        onProgress,
      );
      await learning?.settled();
      return answered;
    },
    unlearn: async (trainer) => {
      if (trainer !== undefined) return rounds().stepBack(trainer, learner);
      await rounds().reset(learner);
      return true;
    },
    dispose: async () => {
      await ports.learning?.settled();
      await indexProcess.dispose();
    },
  };
  return engine;
}

/** By path: the order in which files were read differs from build to build, and questions are drawn from these. */
async function allPassages(index: IndexService, signal: AbortSignal): Promise<Passage[]> {
  const passages: Passage[] = [];
  const paths = (await index.report()).files.map(({ path }) => path);
  for (const path of paths.sort()) {
    signal.throwIfAborted();
    passages.push(...(await index.passagesOf(path)));
  }
  return passages;
}

async function* observed(
  events: AsyncIterable<ResearchEvent>,
  observe: (event: ResearchEvent) => void,
): AsyncGenerator<ResearchEvent> {
  for await (const event of events) {
    observe(event);
    yield event;
  }
}
