const LEAD = /^(?:(?:the|so|thus|therefore|hence) )*(?:final )?answer (?:is|was|would be)\b|^(?:it|this|that|he|she|they) (?:is|was|are|were)\b/u;
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/**
 * The form in which a vote compares answers: SQuAD's normalisation (Rajpurkar et al. 2016: lower case, no punctuation, no articles),
 * and besides no accents, small number words as digits, no lead such as "the answer is", and `yes` or `no` alone when an answer
 * begins with it. '' for an answer that says nothing.
 */
export function normaliseVote(answer: string): string {
  const polar = /^\W*(yes|no)\b(?=\s*(?:[,.;:!–—-]|$))/iu.exec(answer)?.[1];
  if (polar) return polar.toLowerCase();
  const words = answer.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().replace(/(?<=\d),(?=\d{3}\b)/gu, '').replace(/['’]s\b/gu, '').replace(/[\p{P}\p{S}]+/gu, ' ').replace(/\s+/gu, ' ').trim();
  const bare = words.replace(LEAD, ' ').replace(/\b(?:a|an|the)\b/gu, ' ').trim();
  return (bare || words).split(/\s+/u).map(digitOf).join(' ');
}

function digitOf(word: string): string {
  const number = NUMBER_WORDS.indexOf(word);
  return number >= 0 ? String(number) : word;
}
