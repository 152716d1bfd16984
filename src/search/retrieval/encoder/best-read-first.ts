import { textInPlace } from '../../reading/text/plain-roff.ts';
import type { Passage } from '../../domain/passage.ts';
import type { EncoderInput } from './input-layout.ts';
import type { EncoderReading, JointEncoder } from './joint-encoder.ts';

/** Most hits that are read with the question: those behind them are seldom evidence. */
const MOST_READ = 10;
/** Milliseconds after which no further hit is begun: a slow machine keeps the order that it has. */
const LONGEST_READING = 600;
/** Readings that are remembered: what a question finds is read again for its units. */
const REMEMBERED = 96;

/** What the encoder reads of a passage: its path and title, and its text as it reads on the page. */
export function candidateOf(passage: Pick<Passage, 'path' | 'title' | 'text' | 'language'>): EncoderInput['candidate'] {
  const { path, title } = passage;
  return { header: title ? `${path}: ${title}` : path, text: textInPlace(passage) };
}

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

/** The same encoder, which reads nothing twice as long as it remembers it. What fails is forgotten. */
export function rememberReadings(encoder: JointEncoder): JointEncoder {
  const known = new Map<string, EncoderReading>();
  return {
    async read(input, signal) {
      const key = JSON.stringify(input);
      const before = known.get(key);
      if (before) return before;
      const reading = await encoder.read(input, signal);
      known.set(key, reading);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return reading;
    },
    close: () => encoder.close(),
  };
}
