import type { LanguageModel } from '../../src/research/language-model/language-model.ts';
import type { Answer } from '../../src/research/domain/answer.ts';
import type { PassageFilter } from '../../src/search/domain/passage-chain.ts';
import type { PastTurn, QuestionType } from '../../src/search/domain/question.ts';
import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import { defaultResearchOptions, type ResearchOptions } from '../../src/research/context/research-options.ts';
import type { RunRecord } from '../../src/research/context/node-record.ts';
import type { ResearcherDependencies } from '../../src/research/run/conduct-run.ts';
import { createResearcher } from '../../src/research/run/research.ts';
import type { Retriever } from '../../src/search/retrieval/retriever.ts';

export interface RunSettings {
  retriever: Retriever;
  model?: LanguageModel;
  options?: Partial<ResearchOptions>;
  type?: QuestionType;
  history?: PastTurn[];
  scope?: PassageFilter;
  signal?: AbortSignal;
  dependencies?: Partial<ResearcherDependencies>;
  /** Called with each event as it comes. */
  onEvent?: (event: ResearchEvent) => void;
}

export interface FinishedRun {
  events: ResearchEvent[];
  records: RunRecord[];
  /** undefined when the run gave none. */
  answer: Answer | undefined;
  /** Type of the last event. */
  ending: ResearchEvent['type'] | undefined;
}

/**
 * A whole run with a clock that ticks one millisecond per look and ids that count: the same script gives the same
 * events.
 */
export async function runResearch(question: string, settings: RunSettings): Promise<FinishedRun> {
  let time = Date.UTC(2025, 0, 6);
  let ids = 0;
  const records: RunRecord[] = [];
  const type = settings.type ?? 'inference';
  const research = createResearcher({
    retriever: settings.retriever,
    model: settings.model,
    classifier: { classify: async () => ({ type, probabilities: { [type]: 1 }, classifier: 'fixed' }) },
    now: () => (time += 1),
    newId: () => `run-${(ids += 1)}`,
    onNode: (record) => records.push(record),
    ...settings.dependencies,
  });
  const events: ResearchEvent[] = [];
  const options = { ...defaultResearchOptions, ...settings.options };
  for await (const event of research(
    { text: question, history: settings.history ?? [], ...(settings.scope && { scope: settings.scope }) },
    options,
    settings.signal ?? new AbortController().signal,
  )) {
    events.push(event);
    settings.onEvent?.(event);
  }
  const answers = events.flatMap((event) => (event.type === 'answer-end' ? [event.answer] : []));
  return { events, records, answer: answers.at(-1), ending: events.at(-1)?.type };
}
