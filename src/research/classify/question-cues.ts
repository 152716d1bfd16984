import { expression } from '#base';
import { quotations } from '#search';

/** A cue in a question's wording: 0 (absent) to 1. */
interface Cue {
  name: string;
  value(question: QuestionShape): number;
}

interface QuestionShape {
  text: string;
  words: number;
  /** Capitalised words that do not begin the question. */
  names: number;
}

/**
 * Whether these expressions match one after the other on one line, as `first.*second` would: that tries every pair
 * anew, which takes minutes for a long text; this looks for the nearest match of each. The expressions are global.
 */
function inOrder(text: string, [first, ...rest]: readonly [RegExp, ...RegExp[]]): boolean {
  first.lastIndex = 0;
  for (let match = first.exec(text); match; match = first.exec(text)) {
    const lineEnd = endOfLine(text, match.index + match[0].length);
    const line = text.slice(0, lineEnd);
    let at = match.index + match[0].length;
    const found = rest.every((next) => {
      next.lastIndex = at;
      const after = next.exec(line);
      if (after) at = after.index + after[0].length;
      return after !== null;
    });
    if (found) return true;
    first.lastIndex = lineEnd;
  }
  return false;
}

function endOfLine(text: string, from: number): number {
  const end = /[\n\r\u2028\u2029]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** `… , X or Y?`: a choice behind the last comma or colon, at the end of the question. */
function endsWithChoice(text: string): boolean {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith('?')) return false;
  const lastComma = trimmed.lastIndexOf(',');
  let lineStart = 0;
  return trimmed.split(/[\n\r\u2028\u2029]/).some((line) => {
    const start = lineStart;
    lineStart += line.length + 1;
    const mark = line.search(/[,:] /);
    return (
      mark >= 0 && [...line.matchAll(/\bor\b/gi)].some((or) => or.index >= mark + 2 && start + or.index > lastComma)
    );
  });
}

/** `Alder and Birch`: two capitalised words, each of more than a letter. */
function joinsTwoNames(text: string): boolean {
  for (const { index } of text.matchAll(/ and [A-Z][\w.'’-]/g)) {
    let start = index;
    while (start > 0 && /[\w.'’-]/.test(text.charAt(start - 1))) start -= 1;
    if (/\b[A-Z][\w.'’-]/.test(text.slice(start, index))) return true;
  }
  return false;
}

const asked = (name: string, is: (text: string) => boolean): Cue => ({ name, value: ({ text }) => (is(text) ? 1 : 0) });
const ordered = (name: string, ...patterns: [RegExp, ...RegExp[]]): Cue =>
  asked(name, (text) => inOrder(text, patterns));
const present = (name: string, pattern: RegExp): Cue => ({ name, value: ({ text }) => (pattern.test(text) ? 1 : 0) });
/** Occurrences up to three, in thirds. */
const counted = (name: string, pattern: RegExp): Cue => ({
  name,
  value: ({ text }) => Math.min(3, [...text.matchAll(pattern)].length) / 3,
});
const between = (name: string, least: number, most: number): Cue => ({
  name,
  value: ({ words }) => (words >= least && words <= most ? 1 : 0),
});

const CUES: readonly Cue[] = [
  // how it begins
  present('begins with who', /^\W*(?:in |on |to |from |by |of )?who(?:se|m)?\b/i),
  present('begins with what', /^\W*(?:in |on |at |to |from |by |of |for |through )?what\b/i),
  present('begins with which', /^\W*(?:in |on |at |to |from |by |of |for |through )?which\b/i),
  present('begins with where', /^\W*where\b/i),
  present('begins with when', /^\W*(?:since |until |from )?when\b/i),
  present('begins with how many', /^\W*how (?:many|much|long|tall|old|far|big)\b/i),
  present('begins with how', /^\W*how (?!many|much|long|tall|old|far|big)/i),
  present('begins with why', /^\W*why\b/i),
  present('yes or no', /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i),
  present('yes or no in the main clause', /,\s*(?:is|are|was|were|do|does|did|has|have|had)\b/i),
  present(
    'an order',
    expression('i')`
      ^\W*(?:please )?(?:give|list|describe|explain|summari[sz]e|outline|tell|name|collect|make|walk|sum|draw|provide|
        group|define|compare|contrast|show)\b
    `,
  ),
  present('no question mark', /[^?\s]\s*$/),
  // comparison
  present('or', /\bor\b/i),
  ordered('which of x or y', /^\W*(?:which|who|what|between)\b/gi, /[,?:] /g, /\bor\b/gi),
  ordered(
    'which first or later',
    /^\W*(?:which|who|whose|what)\b/gi,
    /\b(?:first|earlier|later|sooner|older|younger|longer)\b/gi,
    /\bor\b/gi,
  ),
  asked('x or y at the end', endsWithChoice),
  present('both', /\bboth\b/i),
  present('same', /\b(?:same|alike|equal(?:ly)?|similar(?:ly|ity)?|in common)\b/i),
  present('differ', /\b(?:differ\w*|distinguish\w*|contrast\w*|opposite|unlike)\b/i),
  present('compare', /\b(?:compar\w+|versus|vs)\b/i),
  present('than', /\bthan\b/i),
  present(
    'comparative',
    expression('i')`
      \b(?:more|less|fewer|better|worse|older|younger|larger|smaller|bigger|higher|lower|longer|shorter|taller|
        cheaper|faster|slower|safer|newer|stricter)\b
    `,
  ),
  ordered('superlative of two', /\b(?:which|who)\b/gi, /\b(?:oldest|youngest|largest|more recently)\b/gi),
  present('while', /\b(?:while|whereas|although)\b/i),
  present('agree', /\b(?:agree|align(?:ed)?|contradict|conflict|consistent with|in line)\b/i),
  present('of the two', /\b(?:of the two|either|neither|respectively|one or the other)\b/i),
  asked('and joins two named', joinsTwoNames),
  ordered(
    'does an article',
    /\b(?:article|report|post|guide)s?\b/gi,
    /\b(?:claim|suggest|state|attribute|describe|indicate|focus|discuss|mention|report)/gi,
  ),
  // time
  present(
    'before or after',
    /\b(?:before|after|afterwards|following|prior to|previous(?:ly)?|subsequent(?:ly)?|later|earlier)\b/i,
  ),
  ordered(
    'did or was before',
    /^\W*(?:did|was|were|had|has|have)\b/gi,
    /\b(?:before|after|since|earlier than|later than)\b/gi,
  ),
  ordered(
    'said before said',
    /\b(?:report|discuss|publish|mention|cover|announc|describ|record|sa(?:y|id)|writ|wrote|print)\w*\b/gi,
    /\b(?:before|after|earlier than|later than)\b/gi,
    /\b(?:report|discuss|publish|mention|cover|announc|describ|record|said|wrote|answered|did)/gi,
  ),
  ordered(
    'past when',
    /\b(?:was|were|did|had)\b/gi,
    / (?:when|while|in the (?:night|week|month|year|winter|summer|spring|autumn)|on the day|at the (?:time|moment|start|end))\b/gi,
  ),
  present('since or until', /\b(?:since|until|till|by the time|from then on|as of|during)\b/i),
  present(
    'at the time',
    /\b(?:at the time|at that time|in the (?:night|week|month|year)|on the day|back then|when it was|when the)\b/i,
  ),
  counted('month', /\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/gi),
  counted('year', /\b(?:1[89]|20)\d\d\b/g),
  counted(
    'date',
    expression('gi')`
      \b\d{4}-\d\d-\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|
        december) \d{1,2}\b|\b\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|
        december)\b
    `,
  ),
  present(
    'change',
    /\b(?:chang\w+|remain\w*|stay\w*|develop(?:ed)?|evolv\w+|shift\w*|become|became|replaced|moved)\b/i,
  ),
  present('consistent', /\b(?:in)?consisten\w+/i),
  present(
    'no longer',
    expression('i')`
      \b(?:no longer|anymore|still|used to|formerly|now|current(?:ly)?|latest|newest|last time|over time|timeline|
        history of)\b
    `,
  ),
  asked(
    'first or then',
    (text) =>
      /\b(?:in which order|one after the other|how long after)\b/i.test(text) ||
      inOrder(text, [/\bfirst\b/gi, /\bthen\b/gi]),
  ),
  present('state of', /\bstate of\b/i),
  present('when inside', /\S \bwhen\b/i),
  // everything at once
  present(
    'overview',
    expression('i')`
      \b(?:overview|summar\w+|gist|outline|big picture|high-level|in general|overall|in broad|
        main (?:points|themes|ideas|findings)|key (?:points|findings)|tour|taken together)\b
    `,
  ),
  present('all', /\b(?:all|every|everything|each|across|throughout|whole|entire|various)\b/i),
  present(
    'plural inventory',
    expression('i')`
      \b(?:what|which) (?:are|kinds|types|topics|people|patterns|trends|features|technologies|steps|conventions|
        themes|risks|problems|goals|lessons|modules|parts|subjects|assumptions|conclusions)\b
    `,
  ),
  present(
    'about this',
    expression('i')`
      \b(?:this (?:project|repository|code ?base|workspace|folder|vault)|these (?:documents|notes|papers|files)|
        the (?:code ?base|repository|project|documentation|notes|system|architecture))\b
    `,
  ),
  ordered(
    'how it works',
    /\bhow (?:does|do|is|are)\b/gi,
    /\b(?:work|fit|organi[sz]ed|structured|handled|managed|dealt)\b/gi,
  ),
  // chains
  counted('relative clause', /\w[ ,]+(?:that|who|whom|whose|which|where)\b/gi),
  present(
    'preposition and relative',
    /\b(?:in|on|of|to|by|from|with|for|after|behind|through) (?:which|whom|whose)\b/i,
  ),
  counted('of the', /\bof (?:the|a|an|our|its)\b/gi),
  counted('possessive', /[’']s\b|\b(?:whose|our|their|its)\b/gi),
  counted('the x of', /\bthe \w+ (?:of|in|from|behind|at|for)\b/gi),
  present('participle chain', /\b(?:by|from|of|in) the \w+ (?:\w+ed|\w+ing)\b/i),
  // shape
  between('up to 6 words', 0, 6),
  between('7 to 10 words', 7, 10),
  between('11 to 15 words', 11, 15),
  between('16 to 24 words', 16, 24),
  between('25 to 40 words', 25, 40),
  between('more than 40 words', 41, Number.POSITIVE_INFINITY),
  { name: 'names', value: ({ names }) => Math.min(names, 6) / 6 },
  { name: 'no name', value: ({ names }) => (names === 0 ? 1 : 0) },
  counted('comma', /,/g),
  {
    name: 'quoted',
    value: ({ text }) =>
      Math.min(3, quotations(text, { opens: '"“\'‘', closes: '"”\'’', stops: '"”\'’', most: 60 }).length) / 3,
  },
  present('several sentences', /[.!?]\s+[A-Z]/),
  present('code', /\b[a-z]+(?:[A-Z]\w*)+\b|\b\w+_\w+\b|`[^`]+`|--\w|\w\(\)/),
];

/**
 * Names of the cues in the order of {@link cueFeatures}; a trained model lists them, so that one made for others is
 * noticed.
 */
export const CUE_NAMES: readonly string[] = CUES.map((cue) => cue.name);

/** How a question is worded, as numbers from 0 to 1. */
export function cueFeatures(text: string): number[] {
  const words = text.split(/\s+/).filter(Boolean);
  const names = words.slice(1).filter((word) => /^["“'‘(]?\p{Lu}/u.test(word)).length;
  return CUES.map((cue) => cue.value({ text, words: words.length, names }));
}
