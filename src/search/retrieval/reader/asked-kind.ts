import { wordSet, expression } from '#base';
import { contentStems } from '../../text/words.ts';
import { asksForNoun } from './asked-noun.ts';

export const ASKED_KINDS = ['number', 'duration', 'time', 'version', 'variable', 'flag', 'address', 'contact'] as const;
/** What a question asks for, where its words tell what an answer must hold. */
export type AskedKind = (typeof ASKED_KINDS)[number];

const HOW_LONG = /\bhow (?:long|old|soon|quickly)\b/iu;
const LENGTH_OF_TIME = /^ (?:duration|timeout|interval|notice period)\b/iu;
/** `How long can the subject of a commit be?`: so many characters, and no time. */
const LENGTH_OF_TEXT = expression('iu')`
  \bhow long (?:can|may|could|should|must|might|is|are)
  \b[^?]{0,60}\b(?:messages?|subjects?|lines?|names?|usernames?|titles?|passwords?|passphrases?|descriptions?|
    summar(?:y|ies)|paths?|urls?|slugs?|keys?|strings?|texts?|headers?|headings?|comments?|sentences?|fields?|
    labels?|tags?|identifiers?|abstracts?)\b(?:[^?]{0,40} be(?= ?(?:[?,.]|$|(?:if|before|in|at|here)\b))|
    (?= ?(?:[?,.]|$)))
`;
const FREQUENCY = /\bhow (?:often|frequently|regularly)\b/iu;
const POINT_OF_TIME = /^ (?:date|day|year|month|time|weekday|hour)s?\b/iu;
const HOW_MANY = /\bhow (?:many|much|large|big|tall|high|far|fast|wide|deep|heavy)\b/iu;
const AMOUNT = expression('iu')`
  ^ (?:number|percentage|percent|port|size|limit|price|amount|count|total|maximum|minimum|status code|budget|salary|
    fee|rate|quorum|threshold)\b
`;
/** `When is a freeze acceptable?` asks for conditions. */
const ASKS_CONDITION = expression('iu')`
  ^\s*(?:and )?when (?:is|are|was|were|should|may|can|must|do|does)
  \b[^?]{0,80}\b(?:acceptable|allowed|appropriate|permitted|possible|required|necessary|needed|ok(?:ay)?|justified|
    useful|forbidden|worth|better|safe|used|use|need|apply|applies)\b
`;
/** Elsewhere `when` opens a condition: `When I shut a contribution, which tag …`, `What happens when …`. */
const ASKS_WHEN = expression('iu')`
  ^\s*(?:and )?when (?:is|are|was|were|do|does|did|will|would|can|could|should|must|has|have|had|to)\b|
  \b(?:since|from|until|by) when\b
`;

/** `Which Python versions are supported?`, `What version of Node does it need?`, `Since which release …` */
const VERSION =
  /^ (?:version|release)s?\b(?! (?:note|checklist|branch|process|manager|cycle|candidate|script|step|page|job))/iu;
/** `Oldest Java version we may run on`; not `How do I pin an exact version?` */
const VERSION_BY_ORDER =
  /\b(?:exact|oldest|lowest|minimum|minimal|highest|earliest|required) (?:[\p{L}.+#]+ ){0,2}versions?\b/iu;
const ASKS_OTHERWISE = /^\s*(?:and |so |but )?(?:how|why|where|who|when|can|does?|is|are|should)\b/iu;
const VARIABLE = /^ env(?:ironment)? var(?:iable)?s?\b/iu;
const WHICH_VARIABLE =
  /\b(?:what|which) variables? (?:sets?|controls?|overrides?|configures?|(?:en|dis)ables?|changes?|moves?|turns?)\b/iu;
const FLAG = /^ (?:flag|command.line (?:option|switch))(?:es|s)?\b/iu;
const ADDRESS = /^ (?:e-?mail|address|url|website)\b/iu;

/** `Who do I write to`, `Whom should we tell`; not `Who do we sell to`. */
const CONTACT = expression('iu')`
  \bwhom? (?:do|does|can|could|should|must|may|would|shall) (?:i|we|you|one|people|they|\p{L}+s) (?:contact|ask|
    tell|email|e-?mail|ping|call|notify|inform|message)\b|
  \bwhom? (?:do|does|can|could|should|must|may|would|shall) (?:i|we|you|one|people|they|\p{L}+s) (?:write|talk|
    speak|report|turn|go|reach out|complain|send|escalate)\b[^?]{0,80}\b(?:to|with)\b|
  \bwho(?:m)? to (?:contact|ask|tell|email|call|notify)\b
`;

const asksForVersion = (question: string): boolean =>
  asksForNoun(question, VERSION, 3) || (VERSION_BY_ORDER.test(question) && !ASKS_OTHERWISE.test(question));

const asksForTime = (question: string): boolean =>
  asksForNoun(question, POINT_OF_TIME) || (ASKS_WHEN.test(question) && !ASKS_CONDITION.test(question));

/**
 * What the question asks for; undefined where nothing can be said. Trained models have it among their features, those
 * of the chain and of the reader: what it says of a question that it reads rightly stays as it is.
 */
export function askedKind(question: string): AskedKind | undefined {
  if (asksForNoun(question, VARIABLE) || WHICH_VARIABLE.test(question)) return 'variable';
  if (asksForNoun(question, FLAG)) return 'flag';
  if (asksForNoun(question, ADDRESS)) return 'address';
  if (asksForVersion(question)) return 'version';
  if (CONTACT.test(question)) return 'contact';
  if (LENGTH_OF_TEXT.test(question)) return 'number';
  if (HOW_LONG.test(question) || asksForNoun(question, LENGTH_OF_TIME)) return 'duration';
  if (FREQUENCY.test(question)) return 'time';
  if (HOW_MANY.test(question) || asksForNoun(question, AMOUNT)) return 'number';
  return asksForTime(question) ? 'time' : undefined;
}

const OF_THING = expression('giu')`
  \b(?:what|which|exact|oldest|lowest|minimum|minimal|highest|earliest|required) ((?:[\p{L}\p{N}.+#-]{1,40} ){1,3})
  versions?\b|\bversions? of (?:the )?((?:[\p{L}\p{N}.+#-]{1,40} ?){1,2})
`;
/** Words before `version` that name no thing. */
const NO_THING = wordSet(
  `
    is are was were the our its a any minimum minimal min maximum max oldest newest latest current new major minor
    patch exact first last next stable supported lowest highest required older earlier earliest old lts pinned
    previous default public language
  `,
);

/**
 * Stems of the thing whose version is asked for: `Which clap version`, `the version of clap`; none where it is ours.
 */
export const versionedThing = (question: string): string[] =>
  (askedKind(question) === 'version' ? [...question.matchAll(OF_THING)] : []).flatMap(([, before = '', after = '']) =>
    contentStems(
      `${before} ${after}`
        .split(' ')
        .filter((word) => !NO_THING.has(word.toLowerCase()))
        .join(' '),
    ),
  );
