import type { Hop, Passage } from '#search';
import { shownTrail, type Retrieval } from '../trail.ts';
import type { Answer, ResearchEvent } from '#research';

/** The answer of a run; undefined while it has none. */
export const answerIn = (events: readonly ResearchEvent[]): Answer | undefined =>
  events.findLast((event) => event.type === 'answer-end')?.answer;

/** A passage that a run has shown; the fullest text of it. undefined when the run never had it. */
export function passageIn(events: readonly ResearchEvent[], passageId: string): Passage | undefined {
  const candidates = events
    .flatMap((event): Passage[] => {
      if (event.type === 'answer-end' || event.type === 'quotes-meanwhile')
        return [...event.answer.passages, ...event.answer.chain.hops.map((hop) => hop.passage)];
      if (event.type === 'passages-retrieved')
        return [...(event.chain?.hops.map((hop) => hop.passage) ?? []), ...event.hits.map((hit) => hit.passage)];
      if (event.type === 'first-hits') return event.hits.map((hit) => hit.passage);
      return [];
    })
    .filter((passage) => passage.id === passageId);
  return candidates.sort((a, b) => b.text.length - a.text.length)[0];
}

/** The trail of a run, as the panel shows it. */
export function trailIn(events: readonly ResearchEvent[]): Hop[] {
  const bySteps = new Map<string, Retrieval[]>();
  for (const event of events) {
    if (event.type === 'step-start') bySteps.set(event.stepId, []);
    else if (event.type === 'passages-retrieved') bySteps.get(event.stepId)?.push(event);
  }
  return shownTrail(answerIn(events), [...bySteps.values()].flat());
}
