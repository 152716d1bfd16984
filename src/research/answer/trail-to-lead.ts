import { contentWords, type Hop, type Passage, type PassageChain, stem } from '#search';
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
