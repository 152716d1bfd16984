/** An index, a language model and what was learnt, together: what answers. Made in hoptrail.ts, and nowhere else. */
import {
  type ClassifierByName,
  createResearcher,
  defaultResearchOptions,
  type LanguageModel,
  provenQuestions,
  type QuestionClassifier,
  type ResearchEvent,
  type ResearchOptions,
  type RunRecord,
  type SelectStrategy,
  suggestQuestions,
} from '#research';
import type { IndexService, IndexState, Question, Retriever } from '#search';
import { type Learning, type Provenance, provenanceOf } from '#learning';
import { HoptrailError } from '#base';

/** The process that holds ONNX Runtime and LanceDB, as the engine sees it. */
export interface IndexProcess {
  index: IndexService;
  retriever: Retriever;
  onState(listener: (state: IndexState) => void): () => void;
  dispose(): Promise<void>;
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
  /** Chooses strategies instead of what was learnt: by what ships alone, or each in turn in an evaluation. */
  selectStrategy?: SelectStrategy;
  /** Resolves when there is something to be searched, or as much as a question is to wait for; tells that it waits. */
  ready?(signal: AbortSignal, waits: () => void): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
}

export interface Engine {
  readonly index: IndexService;
  readonly retriever: Retriever;
  readonly model: LanguageModel | undefined;
  readonly learning: Learning | undefined;
  onIndexState(listener: (state: IndexState) => void): () => void;
  /**
   * A run as a stream of events; a failure is a run-error event. `asking`: the language model of this run alone, or
   * none, instead of the engine's.
   */
  research(
    question: Question,
    options?: Partial<ResearchOptions>,
    signal?: AbortSignal,
    asking?: { model: LanguageModel | undefined },
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
  const { index, retriever } = indexProcess;
  let model = ports.model;
  let embedder: string | undefined;
  const engine: Engine = {
    index: {
      ...index,
      open: async (config) => {
        const state = await index.open(config);
        embedder = state.embedderId;
        return state;
      },
    },
    retriever,
    get model() {
      return model;
    },
    onIndexState: (listener) => indexProcess.onState(listener),
    classifier: (name) => ports.classifier(name, model),
    research(question, options = {}, signal = new AbortController().signal, asking = { model }) {
      const complete: ResearchOptions = { ...defaultResearchOptions, ...options };
      const asked = asking.model;
      const research = createResearcher({
        retriever: indexProcess.retriever,
        model: asked,
        classifier: ports.classifier(complete.classifier, asked),
        ready: ports.ready,
        files: async () => (await index.report()).files,
        selectStrategy: ports.selectStrategy ?? ports.learning?.select,
        noteStrategy: ports.learning?.note,
        examples:
          learning &&
          asked &&
          (async (text, stop) =>
            learning.examples(
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
    dispose: async () => {
      await ports.learning?.settled();
      await indexProcess.dispose();
    },
  };
  return engine;
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
