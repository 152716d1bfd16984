import { wordSet } from '#base';

/** `which`, `what`, `what's`, `whats`, `what is`, `what is the`: what opens a question for a thing. */
const OPENING = /\b(?:what|which)(?<is>(?:['’]?s| (?:is|are|was|were))(?<the> (?:the|our|its))?)?(?= )/giu;

/** A word before the noun that is asked for, with the word behind it: `Node.js`, `C++`. */
const WORD = /^ (?<word>[\p{L}.+#]{1,40})(?= (?<next>[\p{L}'’]{1,40}))/u;

/** Behind a verb or a conjunction a noun is spoken of, and not asked for: `What happens on timeout?` */
const ENDS_SEARCH = wordSet(
  `is are was were be been do does did has have had
  happen happens happened occurs occurred says said means meant tells told shows
  triggers causes starts begins began ends stops runs ran fires fails falls expires sets controls determines decides
  defines uses needs requires takes took makes made gives gave gets got holds contains carries keeps kept reads writes
  sends sent receives returns accepts raises owns manages handles checks replaces reduces represents affects
  comes came goes went becomes became follows
  in for from at on about with when whenever if unless after before until once while because during than
  where how what which who to`,
);
const ARTICLES = wordSet('the a an our its my your their his her this that these those every each any no');
/** Before an article it is no verb: `which of the two ports`. */
const OF = wordSet('of and');
/** `What should the timeout be?` asks for it; `What should the timeout do?` does not. */
const MODALS = wordSet('will would can could should must may might shall');
const ASKS_WHAT_IT_IS = /\b(?:be|exceed|reach|last)\b/iu;

/** Whether a noun that stands somewhere behind a word may still be what is asked for. */
function leadsToNoun(word: string, next: string, rest: string): boolean {
  if (MODALS.has(word)) return ASKS_WHAT_IT_IS.test(rest);
  if (ENDS_SEARCH.has(word)) return false;
  // A word before an article is a verb: `Which team owns the release?`
  return !ARTICLES.has(next) || ARTICLES.has(word) || OF.has(word);
}

/** Whether a noun opens a text, or stands behind at most so many words that describe it. */
function describes(text: string, noun: RegExp, most: number): boolean {
  let rest = text;
  for (let left = most; !noun.test(rest); left -= 1) {
    const { word = '', next = '' } = WORD.exec(rest)?.groups ?? {};
    if (left <= 0 || word === '' || !leadsToNoun(word.toLowerCase(), next.toLowerCase(), rest)) return false;
    rest = rest.slice(1 + word.length);
  }
  return true;
}

/**
 * Whether a question asks for what a noun names: `which port`, `what default port`, `what is the default port`; not
 * `What does the port parameter do?`, where the noun stands behind a verb.
 * @param noun Matches a text that begins with a space and the noun.
 * @param most So many words may describe it.
 */
export const asksForNoun = (question: string, noun: RegExp, most = 2): boolean =>
  [...question.matchAll(OPENING)].some(({ 0: opening, index, groups: { is, the } = {} }) => {
    const rest = question.slice(index + opening.length);
    if (is === undefined || the !== undefined) return describes(rest, noun, most);
    // `What is a timeout?` asks what one is, `What is default timeout` how long it is.
    return !/^ an? /iu.test(rest) && describes(rest, noun, most - 1);
  });
