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
import type { OfflineRoundState, TrainerResult } from './reasoning/experience/offline-round.ts';
import type { ChainLearner } from './retrieval/learning/chain-learner.ts';
import type { Retriever } from './retrieval/retriever.ts';
import type { Passage } from './model/passage.ts';
import { HoptrailError } from './model/error-report.ts';

/** The process that holds ONNX Runtime and LanceDB, as the engine sees it. */
export interface IndexProcess {
  index: IndexService;
  retriever: Retriever;
  learner: ChainLearner;
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
  readonly learner: ChainLearner;
  readonly model: LanguageModel | undefined;
  readonly learning: Learning | undefined;
  /** One round of learning on this machine (RISE): see offline-learning.ts. Throws LearningOffError without `learning`. */
  learn(made: number, signal: AbortSignal, onChange?: (result: TrainerResult) => void): Promise<OfflineRoundState>;
  /** Undoes what a round put to use. Also after a reset. */
  unlearn(trainer?: string): Promise<boolean>;
  onIndexState(listener: (state: IndexState) => void): () => void;
  /** A run as a stream of events; never throws but through a run-error event. */
  research(question: Question, options?: Partial<ResearchOptions>, signal?: AbortSignal): AsyncIterable<ResearchEvent>;
  setModel(model: LanguageModel | undefined): void;
  /** Up to three questions made from this workspace's own index, without a language model. */
  suggestions(): Promise<string[]>;
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
  const rounds = (): Learning['rounds'] => {
    if (!learning) throw new LearningOffError('Learning is off here.', { advice: 'Turn it on in the settings.' });
    return learning.rounds;
  };
  return {
    index: {
      ...index,
      open: async (config) => {
        const state = await index.open(config);
        await learning?.rounds.equip(learner);
        return state;
      },
    },
    retriever,
    learner,
    get model() { return model; },
    onIndexState: (listener) => indexProcess.onState(listener),
    research(question, options = {}, signal = new AbortController().signal) {
      const complete: ResearchOptions = { ...defaultResearchOptions, ...options };
      const research = createResearcher({
        retriever: indexProcess.retriever,
        model,
        classifier: ports.classifier(complete.classifier, model),
        selectStrategy: ports.selectStrategy ?? ports.learning?.select,
        examples: learning && ((asked, stop) => learning.rounds.examples(asked, retriever.embed, stop)),
        onNode: complete.record ? (record) => ports.learning?.onNode(record) : undefined,
        now: ports.now,
        newId: ports.newId,
      });
      return observed(research(question, complete, signal), (event) => { if (complete.record) ports.learning?.observe(event); });
    },
    setModel(next) { model = next; },
    suggestions: () => suggestQuestions(indexProcess.index),
    learning,
    learn: (made, signal, onChange) => rounds().run({ learner, retriever, model, passages: (stop) => allPassages(index, stop) }, made, signal, onChange),
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
}

async function allPassages(index: IndexService, signal: AbortSignal): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (const { path } of (await index.report()).files) {
    signal.throwIfAborted();
    passages.push(...(await index.passagesOf(path)));
  }
  return passages;
}

async function* observed(events: AsyncIterable<ResearchEvent>, observe: (event: ResearchEvent) => void): AsyncGenerator<ResearchEvent> {
  for await (const event of events) {
    observe(event);
    yield event;
  }
}
