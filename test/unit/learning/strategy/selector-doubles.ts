import { readFile } from 'node:fs/promises';
import type { Answer, Usage } from '../../../../src/research/domain/answer.ts';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import type { QuestionType } from '../../../../src/search/domain/question.ts';
import type { UnstampedEvent } from '../../../../src/research/domain/research-event.ts';
import { defaultResearchOptions, type ResearchOptions } from '../../../../src/research/context/research-options.ts';
import { emptyChain, type Operator } from '../../../../src/research/operators/operator.ts';
import { StrategySelector } from '../../../../src/learning/strategy/strategy-selector.ts';
import type { StrategyStore } from '../../../../src/learning/strategy/strategy-store.ts';
import type { StrategyChoice } from '../../../../src/research/plan/strategy-choice.ts';
import type { LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

export const prior: unknown = JSON.parse(
  await readFile(new URL('../../../../models/bandit-prior.json', import.meta.url), 'utf8'),
);
export const retriever = new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]);
export const model = new ScriptedLanguageModel([]);
export const signal = new AbortController().signal;

/** Keeps lines, as a file would. */
export class ListInMemory implements StrategyStore {
  text = '';
  changes = 0;
  async read(): Promise<string> {
    return this.text;
  }
  async change<T>(change: (text: string) => { text: string; result: T }): Promise<T> {
    this.changes += 1;
    const { text, result } = change(this.text);
    this.text = text;
    return result;
  }
}

/** Operators that answer with what they saw; `answers` may name an answer or a failure. */
export function scriptedOperator(
  answers: Partial<Record<OperatorName, string | Error>> = {},
): (name: OperatorName) => Operator {
  return (name) => ({
    name,
    needsModel: name !== 'extractive',
    retrieves: true,
    whenToUse: { does: 'answer', goodFor: 'tests' },
    cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
    prompts: [],
    async run(context, task) {
      const stepId = context.nextStepId();
      const scripted = answers[name];
      if (scripted instanceof Error) throw scripted;
      context.budget.addCall({ inputTokens: 100, outputTokens: 10, estimated: false });
      const short = scripted ?? `${name} after ${task.seen?.map((seen) => seen.answer).join('+') || 'nothing'}`;
      context.keep({ stepId, question: task.question, answer: short, found: true, passageIds: [] });
      return {
        operator: name,
        stepId,
        reading: { text: short, short, missing: [], none: false, statements: [] },
        chain: emptyChain,
        evidence: [],
      };
    },
  });
}

export function selectorWith(
  store: StrategyStore = new ListInMemory(),
  change: Partial<ConstructorParameters<typeof StrategySelector>[0]> = {},
): { selector: StrategySelector; problems: unknown[] } {
  const problems: unknown[] = [];
  let time = 0;
  return {
    problems,
    selector: new StrategySelector({
      store,
      prior,
      operator: scriptedOperator(),
      now: () => (time += 1),
      onProblem: (error) => problems.push(error),
      ...change,
    }),
  };
}

/** Milliseconds that only two windows side by side give. */
export const clock =
  (offset = 0): (() => number) =>
  () =>
    (tick += 1) + offset;
let tick = 0;
let runs = 0;
export async function ask(
  selector: Pick<StrategySelector, 'select'>,
  text: string,
  type: QuestionType,
  options: Partial<ResearchOptions> = {},
  answering: LanguageModel = model,
): Promise<{ choice: StrategyChoice | undefined; runId: string }> {
  const runId = `run-${(runs += 1)}`;
  const choice = await selector.select({
    runId,
    question: { text, history: [] },
    classification: { type, probabilities: { [type]: 1 }, classifier: 'fixed' },
    options: { ...defaultResearchOptions, ...options },
    model: answering,
    retriever,
    signal,
  });
  return { choice, runId };
}

export const usage: Usage = {
  calls: 1,
  inputTokens: 1500,
  outputTokens: 100,
  estimated: false,
  retrievals: 1,
  seconds: 5,
};
const answer: Answer = {
  text: 'Tallinn [1]',
  short: 'Tallinn',
  abstained: false,
  statements: [{ text: 'Tallinn', citations: [1], support: 'supported' }],
  citations: [{ number: 1, passageId: 'rope', startLine: 1, endLine: 1 }],
  passages: [],
  chain: emptyChain,
  subAnswers: [],
  unsupportedCount: 0,
  conflicts: [],
  by: 'model',
  coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
};
export function finish(selector: StrategySelector, runId: string, ending: Answer | UnstampedEvent = answer): void {
  if ('type' in ending)
    return selector.observe({ ...ending, runId, time: 0 } as Parameters<StrategySelector['observe']>[0]);
  selector.observe({ type: 'answer-end', runId, time: 0, answer: ending });
  selector.observe({ type: 'run-end', runId, time: 0, usage });
}
