import { generationCount, generationName, generationPrefix, type IndexLayout } from '../store/index-layout.ts';

/** Which builds to use. */
export interface GenerationChoice {
  /** Written to. */
  writing: string;
  /** Answers until `writing` is complete; undefined when `writing` answers itself. */
  answering?: string;
  /** Of no use any more. */
  leftovers: string[];
}

/** A build for another schema or another embedder goes on answering while the one for this schema and embedder grows beside it. */
export async function chooseGeneration(layout: IndexLayout, embedderId: string): Promise<GenerationChoice> {
  const [current, names] = await Promise.all([layout.current(), layout.list()]);
  const prefix = generationPrefix(embedderId);
  const suitable = names.filter((name) => name.startsWith(prefix)).sort((a, b) => generationCount(a) - generationCount(b));
  const answers = current !== undefined && names.includes(current) ? current : undefined;
  // A later build of the same kind beside the one that answers is a rebuild that was cut short: it is begun again when asked for.
  const writing = answers?.startsWith(prefix) ? answers : (suitable.at(-1) ?? generationName(embedderId, 1));
  const answering = answers === writing ? undefined : answers;
  return { writing, answering, leftovers: names.filter((name) => name !== writing && name !== answering) };
}

/** Name of the next build of the same kind. */
export async function nextGeneration(layout: IndexLayout, embedderId: string): Promise<string> {
  const prefix = generationPrefix(embedderId);
  const counts = (await layout.list()).filter((name) => name.startsWith(prefix)).map(generationCount);
  return generationName(embedderId, Math.max(0, ...counts) + 1);
}
