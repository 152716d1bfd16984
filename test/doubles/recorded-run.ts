import assert from 'node:assert/strict';
import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import type { OperatorName } from '../../src/research/domain/plan.ts';
import { cooperative } from './model-scripts/cooperative.ts';
import { promptKind, type PromptKind } from './model-scripts/prompt-kind.ts';
import { assertRecording } from './recording.ts';
import { relayRetriever } from './relay-corpus.ts';
import { runResearch, type FinishedRun, type RunSettings } from './run-research.ts';
import {
  type RecordedCall,
  ScriptedLanguageModel,
  type ScriptedOptions,
  type ScriptedReply,
} from './scripted-language-model.ts';

const ENDINGS = new Set<ResearchEvent['type']>(['run-end', 'run-error', 'run-cancelled']);

/** A run over the relay corpus that is checked for what holds for every run, and kept as a recording. */
export async function recorded(name: string, question: string, settings: Partial<RunSettings>): Promise<FinishedRun> {
  const run = await runResearch(question, { retriever: relayRetriever(), ...settings });
  const { events } = run;
  assert.equal(events[0]?.type, 'run-start');
  assert.equal(events.filter((event) => ENDINGS.has(event.type)).length, 1);
  assert.ok(ENDINGS.has(run.ending ?? 'notice'));
  const started = new Set<string>();
  for (const event of events) {
    if (event.type === 'step-start') started.add(event.stepId);
    if (event.type === 'passages-retrieved' || event.type === 'sub-answer-ready' || event.type === 'step-end')
      assert.ok(started.has(event.stepId), `${event.type} of a step that never started`);
  }
  if (run.ending === 'run-end')
    for (const id of started)
      assert.ok(
        events.some((event) => event.type === 'step-end' && event.stepId === id),
        `${id} never ended`,
      );
  if (run.answer) {
    const known = new Set(run.answer.passages.map((passage) => passage.id));
    const numbers = new Set(run.answer.citations.map((citation) => citation.number));
    assert.ok(run.answer.citations.every((citation) => known.has(citation.passageId)));
    for (const [, number] of run.answer.text.matchAll(/\[(\d+)\]/g))
      assert.ok(numbers.has(Number(number)), `[${number}] cites nothing`);
  }
  assertRecording(name, events);
  return run;
}

export const only = (operator: OperatorName): RunSettings['options'] => ({ operator });

/** What a model says to prompts of a kind; where a function gives undefined, it behaves. */
export type Says = Partial<Record<PromptKind, ScriptedReply | ((call: RecordedCall) => ScriptedReply | undefined)>>;

/** A model that behaves but for what it says here. */
export const cooperativeModel = (says: Says = {}, options: ScriptedOptions = {}): ScriptedLanguageModel =>
  new ScriptedLanguageModel((call) => {
    const said = says[promptKind(call)];
    return (typeof said === 'function' ? said(call) : said) ?? cooperative(call);
  }, options);

/** Codes of a run's notices, in order. */
export const notices = (run: FinishedRun): string[] =>
  run.events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
export const steps = (run: FinishedRun, operator: OperatorName) =>
  run.events.flatMap((event) => (event.type === 'step-start' && event.operator === operator ? [event] : []));
