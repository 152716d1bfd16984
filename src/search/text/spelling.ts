/** What a word must have to be spelt in two ways: most have none of it, and are told so at once. */
const MAY_DIFFER = /our|is|ys|re|ence|ogue|programme|artef/u;

/**
 * British spellings and their American ones, ends of words included that keep the difference. Where a rule meets a word
 * that is spelt in one way alone (`promise`), both sides of a comparison change alike.
 */
const AMERICAN: readonly (readonly [british: RegExp, american: string])[] = [
  // colour, behavioural, favourite; not hour, four, journey
  [/^(\p{L}{1,20}[bdegilmnpv])our(s|ed|ing|al|able|ful|less|hood|ly|ite|ites)?$/u, '$1or$2'],
  // organise, serialisation, authorised
  [/^(\p{L}{4,20})is(e|es|ed|ing|er|ers|ation|ations|able)$/u, '$1iz$2'],
  [/^(anal|paral|catal)ys(e|es|ed|ing|er|ers)$/u, '$1yz$2'],
  [/^(\p{L}{0,12}(?:cent|theat|met|lit|fib|calib|spect|lust))re(s|d)?$/u, '$1er$2'],
  [/^(\p{L}{0,6}(?:lic|def|off|pret))ence(s|d)?$/u, '$1ense$2'],
  [/^(catal|dial|anal|prol|monol|epil)ogue(s|d)?$/u, '$1og$2'],
  [/^programme(s)?$/u, 'program$1'],
  [/^artefact(s)?$/u, 'artifact$1'],
  [/^grey(s|ed|ing)?$/u, 'gray$1'],
];

/** A plain word in its American spelling; as it is, where there is none. */
export function american(word: string): string {
  if (!MAY_DIFFER.test(word) && !word.startsWith('grey')) return word;
  for (const [british, spelt] of AMERICAN) if (british.test(word)) return word.replace(british, spelt);
  return word;
}

/** The same backwards: from what may be American to how the British write it. */
const BRITISH: readonly (readonly [american: RegExp, british: string])[] = [
  [/^(\p{L}{1,20}[bdegilmnpv])or(s|ed|ing|al|able|ful|less|hood|ly|ite|ites)?$/u, '$1our$2'],
  [/^(\p{L}{4,20})iz(e|es|ed|ing|er|ers|ation|ations|able)$/u, '$1is$2'],
  [/^(anal|paral|catal)yz(e|es|ed|ing|er|ers)$/u, '$1ys$2'],
  [/^(\p{L}{0,12}(?:cent|theat|met|lit|fib|calib|spect|lust))er(s|ed)?$/u, '$1re$2'],
  [/^(\p{L}{0,6}(?:lic|def|off|pret))ense(s|d)?$/u, '$1ence$2'],
  [/^(catal|dial|anal|prol|monol|epil)og(s|ed)?$/u, '$1ogue$2'],
  [/^program(s)?$/u, 'programme$1'],
  [/^artifact(s)?$/u, 'artefact$1'],
  [/^gray(s|ed|ing)?$/u, 'grey$1'],
];

/**
 * The other spelling of a plain English word, to look for beside it: `colour` for `color`, and the other way round. It
 * may be no word at all (`errour`), which then finds nothing. Undefined where no rule is for it.
 */
export function otherSpelling(word: string): string | undefined {
  const folded = american(word);
  if (folded !== word) return folded;
  for (const [spelt, british] of BRITISH) if (spelt.test(word)) return word.replace(spelt, british);
  return undefined;
}
