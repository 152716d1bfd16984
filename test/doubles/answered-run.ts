import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createEngine, type Engine, type IndexProcess } from '../../src/engine.ts';
import { StrategySelector } from '../../src/learning/strategy/strategy-selector.ts';
import { runNoticeInWords } from '../../src/research/domain/run-notices.ts';
import { createClassifiers } from '../../src/research/classify/classifiers.ts';
import type { RunRecord } from '../../src/research/context/node-record.ts';
import type { ResearchOptions } from '../../src/research/context/research-options.ts';
import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import { operators } from '../../src/research/operators/operator-registry.ts';
import type { Retriever } from '../../src/search/retrieval/retriever.ts';
import { cooperative } from './model-scripts/cooperative.ts';
import { type PromptKind, promptKind } from './model-scripts/prompt-kind.ts';
import { BORN, relayRetriever } from './relay-corpus.ts';
import { type RecordedCall, ScriptedLanguageModel, type ScriptedReply } from './scripted-language-model.ts';

const prior: unknown = JSON.parse(readFileSync(new URL('../../models/bandit-prior.json', import.meta.url), 'utf8'));

/** The cooperative model, but that its judge finds after no round that a plan stands. */
export const undecided = (call: RecordedCall): ScriptedReply =>
  promptKind(call) === 'judge'
    ? { json: { reason: 'They do not agree.', plan: ['sub-step'], settled: false } }
    : cooperative(call);

export interface Circumstances {
  model?: (call: RecordedCall) => ScriptedReply;
  retriever?: Retriever;
  /** Milliseconds that go by each time somebody looks at the clock. */
  tick?: number;
}

/**
 * An engine over a small corpus: strategies are chosen from what ships, types are told by the classifiers that ship,
 * and the model behaves where nothing else is said.
 */
export function relayEngine({
  model: script = cooperative,
  retriever = relayRetriever(),
  tick = 1,
}: Circumstances = {}): {
  engine: Engine;
  model: ScriptedLanguageModel;
  /** What its runs have recorded. */
  records: RunRecord[];
} {
  const selector = new StrategySelector({
    store: { read: async () => '', change: async (change) => change('').result },
    prior,
    operator: (name) => operators.get(name),
    now: () => 0,
    onProblem: (error) => assert.fail(String(error)),
  });
  let time = 0;
  const records: RunRecord[] = [];
  const model = new ScriptedLanguageModel(script);
  const engine = createEngine({
    indexProcess: { index: {}, retriever } as unknown as IndexProcess,
    model,
    classifier: createClassifiers('models', retriever),
    selectStrategy: selector.select,
    now: () => (time += tick),
    newId: () => 'run-1',
    onNode: (record) => records.push(record),
  });
  return { engine, model, records };
}

/** What of a run tells which options it had. */
export type AnsweredRun = Awaited<ReturnType<typeof answeredRun>>;

/** A whole run of a new engine with these options. */
export async function answeredRun(options: Partial<ResearchOptions>, circumstances?: Circumstances) {
  const { engine, model, records } = relayEngine(circumstances);
  const events: ResearchEvent[] = [];
  for await (const event of engine.research({ text: BORN, history: [] }, options)) events.push(event);
  const all = <Type extends ResearchEvent['type']>(type: Type): Extract<ResearchEvent, { type: Type }>[] =>
    events.filter((event): event is Extract<ResearchEvent, { type: Type }> => event.type === type);
  const asked = (kind: PromptKind): RecordedCall[] => model.calls.filter((call) => promptKind(call) === kind);
  const last = events.at(-1);
  return {
    ending: last?.type,
    usage: last?.type === 'run-end' ? last.usage : undefined,
    answer: all('answer-end').at(-1)?.answer,
    strategy: all('strategy-selected')[0]?.strategy,
    /** As it was told before anything was looked up. */
    classification: all('question-classified')[0]?.classification,
    plan: all('plan-proposed')[0]?.plan,
    operators: all('step-start').map(({ operator }) => operator),
    /** Who spoke in the debate, in order. */
    spoke: all('debate-turn').map(({ role }) => role),
    critiques: all('critique-ready'),
    /** Hops of the longest trail that was retrieved. */
    longestTrail: Math.max(0, ...all('passages-retrieved').map(({ chain }) => chain?.hops.length ?? 0)),
    notices: all('notice').map((notice) => ({ code: notice.code, message: runNoticeInWords(notice) })),
    /** What went wrong on the way. */
    problems: all('notice')
      .filter(({ code }) => /^(?:no-strategy|not-classified|agent-failed|step-failed|model-failed|plan-)/.test(code))
      .map((notice) => runNoticeInWords(notice)),
    /** Calls of the model for this. */
    asked,
    records,
    events,
  };
}
