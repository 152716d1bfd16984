const LEAD = /^(?:(?:the|so|thus|therefore|hence) )*(?:final )?answer (?:is|was|would be)\b|^(?:it|this|that|he|she|they) (?:is|was|are|were)\b/u;
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** "Yes", "No.", "Yes, both are", "No – neither": the word alone, or set off from what explains it. "No. 10" abbreviates "number". */
const POLAR = /^\W*(yes|no)(?:\W*$|\s*[,;:!–—]|\s+-\s|\s*\.\s+(?!\W*\d))/iu;
/** Punctuation and symbols, but for + and # at the end of a word (C++, C#) and the minus of a number. */
const MARKS = /(?!(?<=\p{L}[+#]*)[+#](?![+#]*[\p{L}\p{N}]))(?!(?<![\p{L}\p{N}])-\d)[\p{P}\p{S}]/gu;

/**
 * The form in which a vote compares answers: SQuAD's normalisation (Rajpurkar et al. 2016: lower case, no punctuation, no articles),
 * and besides no accents, small number words as digits, no lead such as "the answer is", and `yes` or `no` alone when an answer
 * is that, whatever explains it. What tells names and numbers apart stays: C++ and C#, -5. '' for an answer that says nothing.
 */
export function normaliseVote(answer: string): string {
  const polar = POLAR.exec(answer)?.[1];
  if (polar) return polar.toLowerCase();
  const words = answer.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().replace(/(?<=\d),(?=\d{3}\b)/gu, '').replace(/['’]s\b/gu, '').replaceAll('−', '-').replace(MARKS, ' ').replace(/\s+/gu, ' ').trim();
  const bare = words.replace(LEAD, ' ').replace(/(?<!\S)(?:a|an|the)(?!\S)/gu, ' ').trim();
  return (bare || words).split(/\s+/u).map(digitOf).join(' ');
}

function digitOf(word: string): string {
  const number = NUMBER_WORDS.indexOf(word);
  return number >= 0 ? String(number) : word;
}
