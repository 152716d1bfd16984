import { contentStems, isStopWord, nameForm, type Passage, readNames, type SearchHit } from '#search';

/**
 * Below this cosine of the bundled encoder a passage is about something else: of 60 questions about a handbook the
 * nearest passage was never below 0.559, of 50 questions of Wikipedia asked there it was for all but one. A model whose
 * cosines lie higher makes nobody say more than is known.
 */
const FAR = 0.55;
/** A passage with this share of the question's words speaks of it, if not of the right thing. */
const ENOUGH = 0.5;

/**
 * Whether the files speak of what is asked, as far as the nearest passages tell: one of them is near in meaning, names
 * what the question names, or has half of its words.
 */
export function speaksOf(question: string, hits: readonly SearchHit[]): boolean {
  if (hits.length === 0) return false;
  if (hits.some(({ parts }) => (parts.vector?.score ?? 0) >= FAR)) return true;
  const words = new Set(contentStems(question));
  const names = namesOf(question);
  const least = Math.max(Math.min(2, words.size), Math.ceil(words.size * ENOUGH));
  return hits.some(({ passage }) => {
    const form = ` ${nameForm(textOf(passage))} `;
    if (names.some((name) => form.includes(` ${name} `))) return true;
    const said = new Set(contentStems(textOf(passage)));
    return words.size > 0 && [...words].filter((word) => said.has(word)).length >= least;
  });
}

const textOf = ({ path, title, text }: Passage): string => `${path}\n${title}\n${text}`;

/** Names that are more than a word that stands first, or a number. */
const namesOf = (question: string): string[] =>
  readNames(question)
    .filter(({ kind, key }) => kind !== 'number' && key.split(' ').some((word) => !isStopWord(word)))
    .map(({ key }) =>
      key
        .split(' ')
        .filter((word, i) => i > 0 || !isStopWord(word))
        .join(' '),
    );
