import { inEnglish, type Translate } from './notices.ts';
import type { Because, HopReason, TextSpan } from './passage-chain.ts';

export interface ReasonInWords {
  /** '' where nothing is said. */
  text: string;
  /** The line that it names, and where the text has it: that may be a link. */
  line?: TextSpan & { number: number };
}

/** Why a hop follows, in one sentence. English unless translated. */
export function reasonInWords({ because, text = '' }: HopReason, t: Translate = inEnglish): ReasonInWords {
  if (!because) return asKept(text);
  const sentence = inWords(because, t);
  if (sentence === '' || !('line' in because) || because.line === undefined) return { text: sentence };
  const { line: number, path } = because;
  const around = path === undefined ? t('{0} on {1}', sentence, LATER) : t('{0} in {1} on {2}', sentence, path, LATER);
  return withLine(around, LATER, t('line {0}', number), number);
}

/** Stands for the line until it is known where the language has it: no name holds this character. */
const LATER = '\0';

/** The text with these words in the place of `mark`. */
function withLine(text: string, mark: string, words: string, number: number): ReasonInWords {
  const start = text.lastIndexOf(mark);
  return {
    text: text.slice(0, start) + words + text.slice(start + mark.length),
    line: { number, start, end: start + words.length },
  };
}

/** Runs that an earlier version kept say it in English alone, the line at the end: “… on line 93”, “… from line 26”. */
function asKept(text: string): ReasonInWords {
  const [words, number] = /\bline (\d{1,7})$/.exec(text) ?? [];
  return words === undefined ? { text } : withLine(text, words, words, Number(number));
}

function inWords(because: Because, t: Translate): string {
  switch (because.code) {
    case 'names-subject':
      return t('names “{0}”, the subject of an earlier passage', because.what);
    case 'defines-asked':
      return t('defines “{0}”', because.what);
    case 'matches':
      return t('matches {0} in the question', listed(because.terms));
    case 'asks-also':
      return t('the question also asks about {0}', listed(because.terms));
    case 'near-passage':
      return t('nearest in meaning to “{0}”', because.who);
    case 'near-both':
      return t('nearest in meaning to the question and to “{0}”', because.who);
    case 'near-question':
      return t('nearest in meaning to the question');
    case 'found-for':
      return t('found for “{0}”', because.question);
    case 'found':
      return t('found for the question');
    case 'chosen':
      return t('the file that was chosen');
    default: // '' for a code of another version, which kept the run
      return isPairCode(because.code) ? pairInWords[because.code](t, because.who, because.what) : '';
  }
}

const listed = (terms: readonly string[]): string => terms.map((term) => `“${term}”`).join(', ');

type PairCode = Extract<Because, { who: string; what: string }>['code'];

const pairInWords: Readonly<Record<PairCode, (t: Translate, who: string, what: string) => string>> = {
  calls: (t, who, what) => t('“{0}” calls “{1}”', who, what),
  imports: (t, who, what) => t('“{0}” imports “{1}”', who, what),
  extends: (t, who, what) => t('“{0}” extends “{1}”', who, what),
  implements: (t, who, what) => t('“{0}” implements “{1}”', who, what),
  'names-type': (t, who, what) => t('“{0}” names the type “{1}”', who, what),
  reads: (t, who, what) => t('“{0}” uses “{1}”', who, what),
  sets: (t, who, what) => t('“{0}” sets “{1}”', who, what),
  throws: (t, who, what) => t('“{0}” throws “{1}”', who, what),
  links: (t, who, what) => t('“{0}” links to “{1}”', who, what),
  uses: (t, who, what) => t('“{0}” uses “{1}”', who, what),
  'links-back': (t, who, what) => t('links back to “{0}” of “{1}”', what, who),
  'imports-of': (t, who, what) => t('imports “{0}” of “{1}”', what, who),
  'uses-of': (t, who, what) => t('uses “{0}” of “{1}”', what, who),
  names: (t, who, what) => t('“{0}” names “{1}”', who, what),
  shares: (t, who, what) => t('shares “{0}” with “{1}”', what, who),
};

/** Whether a hop's reason can be told by this code. */
export const isPairCode = (code: string): code is PairCode => Object.hasOwn(pairInWords, code);
