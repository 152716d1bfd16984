import type { Hop, LinkKind, PassageLink } from '#protocol';
import { trailOf, type RunView } from './run-view.ts';
import { t } from './strings.ts';

/** A question that a link of the trail suggests, and the file to which the link leads. */
export interface FollowUp {
  question: string;
  path: string;
}

const MOST = 3;
/** Longer names make no question that is read at a glance. */
const LONGEST_NAME = 60;
const PROSE: ReadonlySet<LinkKind> = new Set(['wikilink', 'markdown', 'path']);
const CODE: ReadonlySet<LinkKind> = new Set(['call', 'import']);

/**
 * Questions made of the trail's open links: those to files that the trail does not enter, the end of the trail first.
 * None where nothing was found.
 */
export function followUps(run: RunView): FollowUp[] {
  if (!run.answer || run.answer.abstained) return [];
  const hops = trailOf(run);
  const known = new Set(hops.map((hop) => hop.passage.path));
  const found: FollowUp[] = [];
  for (const hop of [...hops].reverse()) {
    for (const link of hop.passage.links) {
      if (found.length === MOST) return found;
      if (link.path === undefined || known.has(link.path)) continue;
      const question = questionOf(link, hop);
      if (question === undefined) continue;
      known.add(link.path);
      found.push({ question, path: link.path });
    }
  }
  return found;
}

function questionOf(link: PassageLink, hop: Hop): string | undefined {
  const path = link.path ?? '';
  if (CODE.has(link.kind)) {
    const name = link.kind === 'call' ? (link.target.split(/[.#]|::|->/).at(-1) ?? '') : stemOf(path);
    return isName(name) ? t('What does {0} do, and who uses it?', name) : undefined;
  }
  const name = wordsOf(stemOf(path));
  const subject = hop.passage.title.split(' > ').at(0)?.trim() || wordsOf(stemOf(hop.passage.path));
  if (!PROSE.has(link.kind) || !isName(name) || !isName(subject)) return undefined;
  return t('What does “{0}” say about {1}?', name, subject);
}

const isName = (text: string): boolean => text.length > 1 && text.length <= LONGEST_NAME;
const stemOf = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '');
/** `ferry-decision` is how a file is named, `ferry decision` how a person says it. */
const wordsOf = (stem: string): string => stem.replace(/[-_]+/g, ' ').trim();
