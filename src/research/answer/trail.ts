import { baseName, shortened, sum } from '#base';
import { contentWords, documentTitle, type Hop, type Passage, type PassageChain, stem } from '#search';
import { uniquePassages } from '../context/passage-ledger.ts';
import { saysPhrase } from './answer-draft.ts';
import { asOnPage, inlineText } from './passage-lines.ts';
import type { Quote } from './quote.ts';

const MOST_TERMS = 3;
/** Letters of a word that tells something on its own. */
const LEAST_LETTERS = 4;

/**
 * The trail of an answer, with what leads on it. What answers is often read beside the chain that was found; a trail
 * that ends elsewhere would explain another answer than the one above it. It goes on to what leads where something of
 * it is quoted, and begins anew there where nothing is.
 *
 * @param quotes All of the answer, those that lead among them; where none leads, the first one does.
 */
export function trailToLead(chain: PassageChain, quotes: readonly Quote[], question: string): PassageChain {
  const leads = quotes.filter((quote) => quote.leads);
  const passages = (leads.length > 0 ? leads : quotes.slice(0, 1)).map(({ passage }) => passage);
  const isOn = (hops: readonly Hop[], { id }: Passage): boolean => hops.some(({ passage }) => passage.id === id);
  if (passages.length === 0 || passages.some((passage) => isOn(chain.hops, passage))) return chain;
  const hops = quotes.some(({ passage }) => isOn(chain.hops, passage)) ? [...chain.hops] : [];
  for (const passage of passages) if (!isOn(hops, passage)) hops.push(hopFor(passage, question));
  return { ...chain, hops };
}

function hopFor(passage: Passage, question: string): Hop {
  const said = new Set(contentWords(`${passage.title}\n${passage.text}`).map(({ text }) => stem(text)));
  const shared = contentWords(question).filter(({ text }) => text.length >= LEAST_LETTERS && said.has(stem(text)));
  const terms = [...new Map(shared.map(({ text }) => [stem(text), text])).values()].slice(0, MOST_TERMS);
  return {
    passage,
    score: 0,
    why: {
      kind: 'question',
      because: terms.length > 0 ? { code: 'matches', terms } : { code: 'near-question' },
      terms,
    },
  };
}

/** The passage as it stands in the chain, or as a hop of its own. */
export function hopOf(quote: Pick<Quote, 'passage'>, chain: PassageChain): Hop {
  return (
    chain.hops.find((hop) => hop.passage.id === quote.passage.id) ?? {
      passage: quote.passage,
      score: 0,
      why: { kind: 'question', because: { code: 'found' }, terms: [] },
    }
  );
}

/** The passages of a chain, then those of the quotes beside it, once each. */
export const passagesOf = (chain: PassageChain, quotes: readonly Quote[]): Passage[] =>
  uniquePassages([...chain.hops, ...quotes].map(({ passage }) => passage));

/** A trail made of several, with what these come to together. */
export function joinedTrail(hops: Hop[], chains: readonly PassageChain[]): PassageChain {
  const found = chains.filter((chain) => chain.hops.length > 0);
  return {
    hops,
    score: sum(found.map((chain) => chain.score)),
    completeness: found.length > 0 ? Math.min(...found.map((chain) => chain.completeness)) : 0,
  };
}

/** What ties two passages together by something that is named: not that both are about the same. */
const NAMED = new Set<Hop['why']['kind']>(['link', 'backlink', 'title', 'term']);

/** What was found, in a few words, and the passage that it stands in. */
interface Find {
  short: string;
  passageId: string | undefined;
}

/** Characters of a unit that tell at its hop what it says: the quote itself stands above the trail. */
const MOST_FOUND = 60;

/** Units that lead, in a few words each. */
export const leadingFinds = (quotes: readonly Quote[]): Find[] =>
  quotes
    .filter(({ leads }) => leads)
    .map((quote) => ({ short: inBrief(asOnPage(quote).text), passageId: quote.passage.id }));

/** What a model answered, where it stands: of the passages that it rests on those that say it, else the last. */
export function answeredFinds(short: string, passages: readonly Passage[]): Find[] {
  if (short.trim() === '') return [];
  const saying = passages.filter(({ text }) => saysPhrase(text, short));
  return (saying.length > 0 ? saying : passages.slice(-1)).map(({ id }) => ({ short: inBrief(short), passageId: id }));
}

const inBrief = (text: string): string => shortened(inlineText(text.replace(/[*`|]+/gu, ' ')), MOST_FOUND);

/**
 * What each hop of a trail found: the names by which the trail goes on from it, and at the hop that the answer stands
 * in, the answer, or the beginning of the unit that stands in its place. null where the trail does not know.
 */
export function trailFinds(hops: readonly Hop[], answers: readonly Find[]): (string | null)[] {
  return hops.map((hop, index) => {
    const onward = hops.flatMap(({ why, passage }) =>
      why.from === index && NAMED.has(why.kind) ? nameOf(why.terms[0], passage) : [],
    );
    const here = answers.filter(
      ({ short, passageId }) => passageId === hop.passage.id && !/^(?:yes|no)[.!]?$/iu.test(short),
    );
    const found = [...new Set([...onward, ...here.map(({ short }) => short)])];
    return found.length === 0 ? null : found.join(', ');
  });
}

/** The name that was followed; a path is shown as the title of what it leads to, a name with dots as it is. */
function nameOf(term: string | undefined, { title, path }: Hop['passage']): string[] {
  if (term !== undefined && term !== '' && !isPath(term, path)) return [term];
  const name = documentTitle(title);
  return [name === '' ? baseName(path) : name];
}

const isPath = (term: string, path: string): boolean =>
  /[/\\]/u.test(term) || (/\.\w+$/u.test(term) && baseName(path).toLowerCase().endsWith(term.toLowerCase()));
