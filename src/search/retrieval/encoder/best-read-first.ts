import type { Passage } from '../../domain/passage.ts';
import { candidateOf } from './input-layout.ts';
import type { JointEncoder } from './joint-encoder.ts';

/** Most hits that are read with the question: those behind them are seldom evidence. */
const MOST_READ = 10;
/** Milliseconds after which no further hit is begun: a slow machine keeps the order that it has. */
const LONGEST_READING = 600;

/**
 * Puts hits in the order in which they lead towards an answer, as the joint encoder judges each with the question: head
 * 1 of Beam Retrieval (arXiv 2308.08973, §3.2) over what hybrid search and the beam found. Only the first are read;
 * what is not keeps its place behind them.
 *
 * @param kept So many hits in front stay as they are: those of the chain, whose later ones a question alone does not
 * explain.
 * @param now Milliseconds, monotonic.
 */
export async function bestReadFirst<T extends { passage: Passage }>(
  question: string,
  hits: readonly T[],
  kept: number,
  encoder: JointEncoder,
  now: () => number,
  signal?: AbortSignal,
): Promise<T[]> {
  const read: { hit: T; leadsOn: number }[] = [];
  const until = now() + LONGEST_READING;
  for (const hit of hits.slice(kept, kept + MOST_READ)) {
    if (now() >= until) break;
    const reading = await encoder.read({ question, chain: [], candidate: candidateOf(hit.passage) }, signal);
    read.push({ hit, leadsOn: reading.extends });
  }
  read.sort((a, b) => b.leadsOn - a.leadsOn);
  return [...hits.slice(0, kept), ...read.map(({ hit }) => hit), ...hits.slice(kept + read.length)];
}
