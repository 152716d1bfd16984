import type { Hop, Passage } from '#search';
import { shownTrail } from '../trail.ts';
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
export const trailIn = (events: readonly ResearchEvent[]): Hop[] =>
  shownTrail(
    answerIn(events),
    events.filter((event) => event.type === 'passages-retrieved'),
    events.flatMap((event) => (event.type === 'step-start' ? [event.stepId] : [])),
  );
