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
  type ResearchEvent,
  type RunNotice,
  type SearchHit,
  shownTrail,
  type SubAnswer,
  type Usage,
} from '#protocol';

type RunStatus = 'running' | 'done' | 'stopped' | 'failed' | 'cut-off';

type ToolUsed = Extract<ResearchEvent, { type: 'tool-used' }>;

/** Something that a run looked up or found out, in the order in which it came. */
export type Activity =
  | { kind: 'search'; stepId: string; query: string; hits: SearchHit[]; chain?: PassageChain }
  | { kind: 'look'; tool: string; asked: string; places: ToolUsed['places']; total: number }
  | { kind: 'sub-answer'; subAnswer: SubAnswer };

export type StepStatus = 'running' | 'answered' | 'nothing-found' | 'rejected' | 'failed' | 'skipped' | 'stopped';

/** A step of the plan with its outcome. */
export interface StepView {
  id: string;
  /** 0 for steps of the plan, 1 for their children, and so on. */
  depth: number;
  operator: OperatorName;
  question: string;
  status: StepStatus;
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
  strategy?: { name: string; reason: string };
  plan?: Plan;
  debate: DebateTurn[];
  steps: StepView[];
  activities: Activity[];
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
    run.activities.filter((activity) => activity.kind === 'search'),
    run.steps.map(({ id }) => id),
  );

/** Seconds a run took so far or in all; undefined before it began. */
export function secondsOf(run: RunView, now: number): number | undefined {
  if (run.usage) return run.usage.seconds;
  if (run.startedAt === undefined) return undefined;
  return ((run.endedAt ?? now) - run.startedAt) / 1000;
}
