import type { Hop } from '#search';
import type { Quote } from './quote.ts';

/** What ties two passages together by something that is named: not that both are about the same. */
const NAMED = new Set<Hop['why']['kind']>(['link', 'backlink', 'title', 'term']);

/**
 * What each hop of a trail found: the names by which the trail goes on from it, and at the hop that the answer stands
 * in, the answer. null where the trail does not know.
 */
export function trailFinds(
  hops: readonly Hop[],
  answer: { short: string; quote: Pick<Quote, 'passage'> | undefined } | undefined,
): (string | null)[] {
  return hops.map((hop, index) => {
    const onward = hops.flatMap(({ why, passage }) =>
      why.from === index && NAMED.has(why.kind) ? nameOf(why.terms[0], passage) : [],
    );
    const last = answer?.quote?.passage.id === hop.passage.id && !/^(?:yes|no)$/iu.test(answer.short);
    const found = [...new Set([...onward, ...(last ? [answer.short] : [])])];
    return found.length === 0 ? null : found.join(', ');
  });
}

/** The name that was followed; a path is shown as the title of what it leads to. */
function nameOf(term: string | undefined, { title, path }: Hop['passage']): string[] {
  if (term !== undefined && term !== '' && !/[/\\]|\.\w+$/u.test(term)) return [term];
  const name = title.split(' > ')[0] ?? '';
  return [name === '' ? (path.split('/').at(-1) ?? path) : name];
}
