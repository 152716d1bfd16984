import { writeFileSync } from 'node:fs';
import { printBandit, reportBandit } from '../bandit/bandit-report.ts';
import { createGatherer, type GatheredAction, gatheredPlan, gatherOutcomes } from '../bandit/gather.ts';
import { OutcomeLog, readOutcomes } from '../bandit/outcome-log.ts';
import { makeTable, priorFromOutcomes } from '../bandit/replay.ts';
import { loadQuestions } from '../evaluation/dataset.ts';
import type { Setting } from '../evaluation/runs/retrieval-run.ts';
import { operators, type ResearchOptions } from '#research/lab';
import { type AgentName, generateGraphs, graphName, PLANS } from '#learning/lab';
import { bar, type EngineOptions, type Output, ProgressLine, UsageError } from '#cli/lab';
import { sampleOf, withCorpus } from './eval-command.ts';

export interface BanditOptions extends EngineOptions {
  outcomes: string;
  data?: string;
  corpus?: string;
  setting?: Setting;
  limit?: number;
  seed: number;
  beta: number;
  orders: number;
  /** Share of the questions that policies learn from. */
  training: number;
  actions: 'plans' | 'paper' | 'apart';
  /** Strategies with one of these agents are not tried (a debate costs more than all others together). */
  without?: readonly AgentName[];
  json?: boolean;
  /** Where a prior made of the outcomes is written. */
  writePrior?: string;
  /** Window of the model of the outcomes, for its class in the prior. */
  window: number;
  research: Partial<ResearchOptions>;
}

/**
 * `hoptrail eval bandit --outcomes F [--data D]`: with data, first tries every strategy on every question that the file
 * lacks; then replays the policies over all outcomes of the file.
 */
export async function banditCommand(options: BanditOptions, output: Output, signal: AbortSignal): Promise<void> {
  if (options.data) await gather({ ...options, data: options.data }, signal);
  const outcomes = readOutcomes(options.outcomes);
  if (outcomes.length < 4)
    throw new UsageError(`${options.outcomes} holds ${outcomes.length} outcomes; a replay needs at least 4.`, {
      advice: 'Gather some with --data F --base-url URL --model NAME.',
    });
  if (options.writePrior !== undefined) {
    writeFileSync(options.writePrior, `${JSON.stringify(priorFromOutcomes(outcomes, options.window))}\n`);
    output.err(`Wrote a prior from ${outcomes.length} questions to ${options.writePrior}.`);
  }
  const progress = new ProgressLine();
  try {
    const report = reportBandit(makeTable(outcomes), {
      beta: options.beta,
      training: options.training,
      seeds: Array.from({ length: options.orders }, (_, i) => options.seed + i),
      progress: (done, total) => progress.update(`bandit ${bar(done, total)}`),
    });
    progress.clear();
    if (options.json) output.json(report);
    else output.out(printBandit(report));
  } finally {
    progress.clear();
  }
}

async function gather(options: BanditOptions & { data: string }, signal: AbortSignal): Promise<void> {
  const without = options.without ?? [];
  const graphs: GatheredAction[] = generateGraphs().map((graph) => ({ name: graphName(graph), graph }));
  const actions = {
    plans: PLANS.map(gatheredPlan),
    paper: graphs,
    apart: graphs.filter(({ graph }) => graph?.edges.every(([, to]) => to === 'vote')), // votes cost no further call
  }[options.actions].filter(({ graph }) => !graph?.agents.some((agent) => without.includes(agent)));
  const gatherer = createGatherer(actions, (name) => operators.get(name));
  const questions = loadQuestions(options.data).filter(
    (question) => question.type !== 'null' && question.answer !== '',
  );
  const sample = sampleOf(questions, options);
  const log = new OutcomeLog(options.outcomes);
  const progress = new ProgressLine();
  await withCorpus(questions, { ...options, learn: false, selectStrategy: gatherer.select }, signal, async (engine) => {
    if (!engine.model)
      throw new UsageError('Strategies differ only with a language model.', {
        advice: 'Name one: --base-url URL --model NAME.',
      });
    for (const [i, question] of sample.entries()) {
      signal.throwIfAborted();
      if (!log.has(question, engine.model.id)) {
        const record = await gatherOutcomes(question, actions, gatherer, {
          engine,
          setting: options.setting ?? 'pooled',
          research: options.research,
          signal,
        });
        if (record) log.add(record);
      }
      progress.update(`outcomes ${bar(i + 1, sample.length)} ${i + 1}/${sample.length}`);
    }
  }).finally(() => progress.clear());
}
