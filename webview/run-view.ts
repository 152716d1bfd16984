import {
  type Answer,
  type CritiqueVerdict,
  type DebateTurn,
  type ErrorReport,
  type FirstHits,
  type Hop,
  type KeptNotice,
  type OperatorName,
  type PassageChain,
  type Plan,
  type QuestionClassification,
  type RunNotice,
  type SearchHit,
  shownTrail,
  type SubAnswer,
  type Usage,
} from '#protocol';

type RunStatus = 'running' | 'done' | 'stopped' | 'failed' | 'cut-off';

/** One retrieval of a step. */
interface RetrievalView {
  query: string;
  hits: SearchHit[];
  chain?: PassageChain;
  milliseconds: number;
}

export type StepStatus = 'running' | 'answered' | 'nothing-found' | 'rejected' | 'failed' | 'skipped' | 'stopped';

/** A sub-question with what became of it. */
export interface StepView {
  id: string;
  parentId?: string;
  /** 0 for steps of the plan, 1 for their children, and so on. */
  depth: number;
  operator: OperatorName;
  question: string;
  dependsOn: string[];
  status: StepStatus;
  retrievals: RetrievalView[];
  subAnswer?: SubAnswer;
  critique?: CritiqueVerdict;
  error?: ErrorReport;
}

/** Everything the panel shows of a run: a pure fold of its events. */
export interface RunView {
  status: RunStatus;
  /** The question as it stands alone; undefined before the run's first event. */
  question?: string;
  /** What was typed, when a follow-up was rewritten. */
  asked?: string;
  /** null: no language model; undefined: not known yet. */
  model?: string | null;
  classification?: QuestionClassification;
  /** Operators of the type's usual plan. */
  usual?: OperatorName[];
  strategy?: { name: string; reason: string; relativeCost?: number };
  plan?: Plan;
  debate: DebateTurn[];
  steps: StepView[];
  /** Of a quick search, shown in the trail's place until there is one; gone when the run has ended. */
  firstHits?: FirstHits['hits'];
  /** Quotes in place of the answer of a model that is silent; gone when the run has ended. */
  meanwhile?: Answer;
  notices: (RunNotice | KeptNotice)[];
  /** Streamed so far; the checked answer replaces it. */
  draft: string;
  answer?: Answer;
  /** The last critique of the whole answer. */
  critique?: CritiqueVerdict;
  usage?: Usage;
  error?: ErrorReport;
  /** Milliseconds since the epoch. */
  startedAt?: number;
  endedAt?: number;
}

/** The answer that is shown: the run's own, or quotes until the model says a word. */
export const answerInView = (run: RunView): Answer | undefined =>
  run.answer ?? (run.draft === '' ? run.meanwhile : undefined);

/** The trail as it is known now. */
export const trailOf = (run: RunView): Hop[] =>
  shownTrail(
    run.answer,
    run.steps.flatMap((step) => step.retrievals),
  );

/**
 * Whether a run took more than one step to its answer. One that only quotes looks up once: its steps are the hops of
 * the trail to the line that leads. Undefined while that may still change, and of a run that ended before its first
 * step.
 */
export function tookSeveralSteps({ steps, answer, status }: RunView): boolean | undefined {
  if (steps.length > 1) return true;
  if (status === 'running' || steps.length === 0) return undefined;
  if (answer?.by !== 'extractive') return false;
  const leading = answer.citations.find(({ number }) => number === answer.lead?.citations[0]);
  return answer.chain.hops.some(({ passage, why }) => passage.id === leading?.passageId && why.from !== undefined);
}

/** Seconds a run took so far or in all; undefined before it began. */
export function secondsOf(run: RunView, now: number): number | undefined {
  if (run.usage) return run.usage.seconds;
  if (run.startedAt === undefined) return undefined;
  return ((run.endedAt ?? now) - run.startedAt) / 1000;
}
