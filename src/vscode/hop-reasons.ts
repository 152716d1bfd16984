import type { TextSpan, Translate } from '#search';
import { asWritten, filled, matchPieces, piecesOf } from './said-in-runs.ts';

/**
 * Why hops follow, as the index and runs say it in English. Kept with the run, it is put into the editor's language
 * where it is shown. Those with more words in common stand first. The line, and a path before it, are told apart.
 */
const reasons: readonly ((t: Translate) => string)[] = [
  // What links, and what a program says
  (t) => t('“{0}” links to “{1}”'),
  (t) => t('“{0}” calls “{1}”'),
  (t) => t('“{0}” imports “{1}”'),
  (t) => t('“{0}” extends “{1}”'),
  (t) => t('“{0}” implements “{1}”'),
  (t) => t('“{0}” overrides “{1}”'),
  (t) => t('“{0}” uses the type “{1}”'),
  (t) => t('“{0}” names the type “{1}”'),
  (t) => t('“{0}” uses “{1}”'),
  (t) => t('“{0}” sets “{1}”'),
  (t) => t('“{0}” throws “{1}”'),
  (t) => t('“{0}” names “{1}”'),
  (t) => t('“{0}” defines “{1}”'),
  (t) => t('“{0}” is implemented by “{1}”'),
  (t) => t('“{0}” is extended by “{1}”'),
  (t) => t('“{0}” is overridden by “{1}”'),
  (t) => t('links back to “{0}” of “{1}”'),
  (t) => t('imports “{0}” of “{1}”'),
  (t) => t('uses “{0}” of “{1}”'),
  (t) => t('defines “{0}”'),
  // Names and meaning
  (t) => t('names “{0}”, the subject of an earlier passage'),
  (t) => t('shares “{0}” with “{1}”'),
  (t) => t('the question also asks about {0}'),
  (t) => t('matches {0} in the question'),
  (t) => t('nearest in meaning to the question and to “{0}”'),
  (t) => t('nearest in meaning to “{0}”'),
  (t) => t('nearest in meaning to the question'),
  (t) => t('the file that was chosen'),
  (t) => t('found for “{0}”'),
  (t) => t('found for the question'),
];

/** A reason as it is written, in pieces around the places of its values. */
const known = reasons.map((reason) => ({ reason, pieces: piecesOf(reason) }));

/** The English of every reason, with `{0}`, `{1}` for its values. */
export const reasonsInEnglish: readonly string[] = reasons.map((reason) => reason(asWritten));

export interface ReasonInWords {
  text: string;
  /** Where it tells a line: that may be a link. */
  line?: TextSpan;
}

/** Its last words, where it tells a line, and a path before them. */
const LINE = / (?:on|from) (line (\d{1,7}))$/;
const PLACE = '” in ';

/** Stands for what is put in later: no reason holds it. */
const LATER = '\0';

/** A hop's reason in the language of `t`; one that is not known stays as it is. */
export function reasonInWords(said: string, t: Translate): ReasonInWords {
  const line = LINE.exec(said);
  const [, words = '', number = ''] = line ?? [];
  const body = line ? said.slice(0, line.index) : said;
  const place = line ? body.lastIndexOf(PLACE) : -1;
  const whole = translated(body, t);
  const head = whole ?? (place < 0 ? undefined : translated(body.slice(0, place + 1), t));
  if (head === undefined) return line ? withSpan(said, said.length - words.length, words) : { text: said };
  if (!line) return { text: head };
  const around =
    whole === undefined
      ? t('{0} in {1} on {2}', head, body.slice(place + PLACE.length), LATER)
      : t('{0} on {1}', head, LATER);
  const told = t('line {0}', number);
  return withSpan(
    around.replace(LATER, () => told),
    around.indexOf(LATER),
    told,
  );
}

const withSpan = (text: string, start: number, words: string): ReasonInWords => ({
  text,
  line: { start, end: start + words.length },
});

/** undefined where it is not known. */
function translated(body: string, t: Translate): string | undefined {
  for (const { reason, pieces } of known) {
    const match = matchPieces(body, pieces);
    if (match?.length === body.length)
      return filled(
        reason((message) => t(message, '{0}', '{1}')),
        match.values,
      );
  }
  return undefined;
}
