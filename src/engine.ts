/**
 * The one composition root: the extension and the command line both call createEngine. No editor API, no native code here:
 * the index process is handed in as a port.
 */
import type { LanguageModel } from './llm/language-model.ts';
import type { IndexService } from './indexing/index-service.ts';
import type { IndexState } from './model/index-state.ts';
import type { Question } from './model/question.ts';
import type { ResearchEvent } from './model/research-event.ts';
import { defaultResearchOptions } from './reasoning/default-options.ts';
import type { QuestionClassifier } from './reasoning/classify/question-classifier.ts';
import type { Learning } from './reasoning/open-learning.ts';
import { createResearcher } from './reasoning/research.ts';
import type { ResearchOptions } from './reasoning/research-options.ts';
import type { SelectStrategy } from './reasoning/strategy-choice.ts';
import { suggestQuestions } from './reasoning/suggest-questions.ts';
import type { Retriever } from './retrieval/retriever.ts';

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
  classifier(name: ResearchOptions['classifier'], model: LanguageModel | undefined): QuestionClassifier;
  /** Chooses strategies and learns from how runs end; undefined: every type's usual plan, and nothing is kept. */
  learning?: Learning;
  /** Chooses strategies instead of what was learnt: an evaluation that tries them all. */
  selectStrategy?: SelectStrategy;
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
  /** A run as a stream of events; never throws but through a run-error event. */
  research(question: Question, options?: Partial<ResearchOptions>, signal?: AbortSignal): AsyncIterable<ResearchEvent>;
  setModel(model: LanguageModel | undefined): void;
  /** Up to three questions made from this workspace's own index, without a language model. */
  suggestions(): Promise<string[]>;
  dispose(): Promise<void>;
}

export function createEngine(ports: EnginePorts): Engine {
  const { indexProcess } = ports;
  let model = ports.model;
  return {
    index: indexProcess.index,
    retriever: indexProcess.retriever,
    get model() { return model; },
    onIndexState: (listener) => indexProcess.onState(listener),
    research(question, options = {}, signal = new AbortController().signal) {
      const complete: ResearchOptions = { ...defaultResearchOptions, ...options };
      const research = createResearcher({
        retriever: indexProcess.retriever,
        model,
        classifier: ports.classifier(complete.classifier, model),
        selectStrategy: ports.selectStrategy ?? ports.learning?.select,
        onNode: complete.record ? (record) => ports.learning?.onNode(record) : undefined,
        now: ports.now,
        newId: ports.newId,
      });
      return observed(research(question, complete, signal), (event) => { if (complete.record) ports.learning?.observe(event); });
    },
    setModel(next) { model = next; },
    suggestions: () => suggestQuestions(indexProcess.index),
    learning: ports.learning,
    dispose: async () => {
      await ports.learning?.settled();
      await indexProcess.dispose();
    },
  };
}

async function* observed(events: AsyncIterable<ResearchEvent>, observe: (event: ResearchEvent) => void): AsyncGenerator<ResearchEvent> {
  for await (const event of events) {
    observe(event);
    yield event;
  }
}
