import { expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';

/** Asks what a program does where something is so: `What happens when …`, `Which error is thrown if …`. */
const ASKS = expression('iu')`
  \bwhat (?:will |would )?happens?\b[^\n]{0,80}\b(?:when|if|once|after|unless|without|where|while)\b|
  \b(?:when|if|once|unless)\b[^\n]{0,200}\bwhat (?:will |would )?happens?\b|
  \b(?:what|which) (?:error|exception|status|exit code)s?\b[^\n]{0,200}\b(?:when|if|unless|without)\b
`;

export const asksWhatHappens = (question: string): boolean => ASKS.test(question);

/** What says under which condition something is done. */
const CONDITION = expression('u')`
  ^(?:[}\s]{0,8})?(?:if|else|elif|elsif|unless|catch|except|rescue|ensure|finally|guard|case|switch|match|when|
    default|try|while|until|assert)\b|
  \.(?:catch|then|on\w*|addEventListener|unwrap_or\w*|ok_or\w*|map_err|or_else|expect)\(|\S \? \S|\?\?|\|\||&&|
  => \{?$
`;
/** What is done there; `math.log(2)` reckons. */
const ACTS = expression('u')`
  \b(?:throw|raise|panic|abort|exit|fatal|die|reject|fail|bail|Err|errors?\.New|Errorf|sys\.exit|warn|
    (?<!\b(?:[Mm]ath|np)\.)log(?:ger)?)\b
`;
/** Words that tell of it. */
const TELLS = /\b(?:if|when|unless|once|otherwise|raises?d?|throws?|thrown|returns?|fails?|ignored?|exits?)\b/iu;

/** What is only named or made here, and is done elsewhere. */
const NAMES: ReadonlySet<UnitKind> = new Set(['signature', 'import', 'constant', 'default']);
const DECLARES = expression('u')`
  ^(?:(?:export|public|private|internal|abstract|sealed|final|data|pub|default|case) ){0,4}
  (?:class|struct|enum|interface|trait|type|object)\b
`;

/**
 * Whether a unit of a program may be what happens under a condition: the guard and what is thrown behind it, what a
 * handler does, a comment that tells of it; not the class of an error, and no statement that is always run.
 * @param above What stands around it, outermost first: `def load › if not path`.
 */
export function tellsWhatHappens(kind: UnitKind, text: string, above: string): boolean {
  if (kind === 'comment') return TELLS.test(text);
  if (NAMES.has(kind) || DECLARES.test(text)) return false;
  if (kind === 'error' || CONDITION.test(text) || ACTS.test(text)) return true;
  return above.split(' › ').some((head) => CONDITION.test(head));
}
