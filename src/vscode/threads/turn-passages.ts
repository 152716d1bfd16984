import type { Hop } from '../../model/passage-chain.ts';
import type { Passage } from '../../model/passage.ts';
import type { ResearchEvent } from '../../model/research-event.ts';
import { answerIn } from './conversations.ts';

/** A passage that a run has shown; the fullest text of it. undefined when the run never had it. */
export function passageIn(events: readonly ResearchEvent[], passageId: string): Passage | undefined {
  const candidates = events.flatMap((event): Passage[] => {
    if (event.type === 'answer-end') return [...event.answer.passages, ...event.answer.chain.hops.map((hop) => hop.passage)];
    if (event.type === 'passages-retrieved') return [...(event.chain?.hops.map((hop) => hop.passage) ?? []), ...event.hits.map((hit) => hit.passage)];
    return [];
  }).filter((passage) => passage.id === passageId);
  return candidates.sort((a, b) => b.text.length - a.text.length)[0];
}

/** The trail of a run: the answer's chain (the nearest passages, when it abstained), else the last one that a step has found. */
export function trailIn(events: readonly ResearchEvent[]): Hop[] {
  const answer = answerIn(events);
  if (answer && answer.chain.hops.length > 0) return answer.chain.hops;
  const found = events.findLast((event) => event.type === 'passages-retrieved' && event.chain !== undefined && event.chain.hops.length > 0);
  return found?.type === 'passages-retrieved' ? found.chain?.hops ?? [] : [];
}
