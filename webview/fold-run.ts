import type { ResearchEvent } from '#protocol';
import type { Activity, RunView, StepView } from './run-view.ts';

/** What there is to show before the first event. */
export const emptyRun: RunView = { status: 'running', debate: [], steps: [], activities: [], notices: [], draft: '' };

/** Folds the events of one run; `cutOff` when its end will never come: its last event is all that is known of it. */
export function foldRun(events: readonly ResearchEvent[], cutOff = false): RunView {
  const run = events.reduce(foldEvent, emptyRun);
  return cutOff && run.status === 'running' ? { ...over(run), status: 'cut-off', endedAt: events.at(-1)?.time } : run;
}

/**
 * The view after one more event; one that is not known (a thread kept by another version) changes nothing. Pure: what
 * did not change keeps its identity.
 */
export function foldEvent(run: RunView, event: ResearchEvent): RunView {
  switch (event.type) {
    case 'run-start':
      return { ...run, question: event.question, asked: event.asked, model: event.model, startedAt: event.time };
    case 'question-classified':
      return { ...run, classification: event.classification };
    case 'strategy-selected':
      return { ...run, strategy: { name: event.strategy, reason: event.reason } };
    case 'debate-turn':
      return { ...run, debate: [...run.debate, event] };
    case 'plan-proposed':
      return { ...run, plan: event.plan };
    case 'step-start':
      return { ...run, steps: [...run.steps, startStep(run, event)] };
    case 'first-hits':
      return { ...run, firstHits: event.hits };
    case 'quotes-meanwhile':
      return { ...run, meanwhile: event.answer };
    case 'passages-retrieved':
      return withActivity(run, {
        kind: 'search',
        stepId: event.stepId,
        query: event.query,
        hits: event.hits,
        chain: event.chain,
      });
    case 'tool-used': {
      const { tool, asked, places, total } = event;
      return withActivity(run, { kind: 'look', tool, asked, places, total });
    }
    case 'sub-answer-ready':
      return withActivity(run, { kind: 'sub-answer', subAnswer: event.subAnswer });
    case 'critique-ready':
      if (event.of === 'answer') return { ...run, critique: event.verdict };
      return changeStep(run, event.stepId, (step) => ({ ...step, critique: event.verdict }));
    case 'step-end':
      return changeStep(run, event.stepId, (step) => ({ ...step, status: event.outcome, error: event.error }));
    case 'notice':
      return { ...run, notices: [...run.notices, event] };
    case 'answer-delta':
      return { ...run, draft: run.draft + event.text };
    case 'answer-end':
      return { ...run, answer: event.answer };
    case 'run-end':
      return { ...over(run), status: 'done', usage: event.usage, endedAt: event.time };
    case 'run-error':
      return { ...over(run), status: 'failed', error: event.error, usage: event.usage, endedAt: event.time };
    case 'run-cancelled':
      return { ...over(run), status: 'stopped', usage: event.usage, endedAt: event.time };
    default:
      return run;
  }
}

type StepStarted = Extract<ResearchEvent, { type: 'step-start' }>;

function startStep(run: RunView, event: StepStarted): StepView {
  const parent = run.steps.find((step) => step.id === event.parentStepId);
  return {
    id: event.stepId,
    depth: parent ? parent.depth + 1 : 0,
    operator: event.operator,
    question: event.question,
    status: 'running',
  };
}

const withActivity = (run: RunView, activity: Activity): RunView => ({
  ...run,
  activities: [...run.activities, activity],
});

function changeStep(run: RunView, stepId: string, change: (step: StepView) => StepView): RunView {
  return { ...run, steps: run.steps.map((step) => (step.id === stepId ? change(step) : step)) };
}

/** What was only there to pass the time goes with the run. */
function over({ firstHits: _, meanwhile: __, ...run }: RunView): RunView {
  return { ...run, steps: stopSteps(run.steps) };
}

/** No step is left spinning when its run is over. */
function stopSteps(steps: StepView[]): StepView[] {
  return steps.some((step) => step.status === 'running')
    ? steps.map((step) => (step.status === 'running' ? { ...step, status: 'stopped' } : step))
    : steps;
}
