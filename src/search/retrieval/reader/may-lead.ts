import { expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { contentStems } from '../../text/words.ts';
import { type AskedQuestion, askedOf, holdsAsked } from './asked-question.ts';
import { holdsExactly } from './exact-kinds.ts';
import { lastLineOf, SAYS_VALUE, saysValue } from './kind-fit.ts';
import { tellsInUnitOfTime } from './units-of-time.ts';

/** A unit as far as its fitness can be told. */
interface FittedUnit {
  kind: UnitKind;
  text: string;
  isCode: boolean;
  /** The question's words, by rarity, that the unit or what stands above it has, 0..1. */
  covered: number;
  /** It announces the entries of a list, which are shown below it. */
  headsList?: boolean;
}

/** A unit with its own line: headings and items above may stand before it. */
interface BarredUnit extends FittedUnit {
  own: string;
}

/** Whether something keeps a unit from the answer's place. */
type Bar = (asked: AskedQuestion, unit: BarredUnit) => boolean;

/** The heading of a release, above what changed in it. */
const RELEASE_ABOVE = /^\[?v?\p{N}{1,4}\.\p{N}{1,4}[^\n›]{0,60}(?=›|\n)/u;

/** `saves 50-60 %`, and what it is a share of: things that are counted may be said so, `60 % of the votes`. */
const SHARE = expression('giu')`
  \p{N}(?:[\p{N}.,]{0,8}\p{N})?(?: ?(?:[-–]|to) ?\p{N}[\p{N}.,]{0,8})? ?(?:%|per ?cent\b)
  (?: of (?:the |all |our |its |their )?([\p{L}-]{3,40}))?
`;

/** Without shares of what is not counted: where votes are asked for, `60 % of the users` is no number of votes. */
const withoutShares = (counted: readonly string[], text: string): string =>
  counted.length === 0
    ? text
    : text.replace(SHARE, (share, of?: string) =>
        of !== undefined && contentStems(of).some((stem) => counted.includes(stem)) ? share : ' ',
      );

/** It holds no number, version or the like where one is asked for; a share of other things is none. */
const lacksKind: Bar = (asked, { text, isCode, kind }) => {
  // In which release something came stands above it; which version of another thing it needs does not.
  const said = asked.kind === 'version' && !asked.asks.release ? text.replace(RELEASE_ABOVE, '') : text;
  return !holdsAsked(asked, withoutShares(asked.counted, said), isCode, kind);
};

/** It lacks what the question names exactly: a weekday, a sum of money. */
const lacksExactKind: Bar = (asked, { text, isCode, kind }) =>
  !holdsExactly(asked.exact, text, saysValue(isCode, kind));

/** It counts in another unit of time than the question, or counts no time. */
const countsOtherwise: Bar = (asked, unit) => !tellsInUnitOfTime(asked.unitOfTime, unit);

/** What is said stands below; `:smile:` ends a line that says it itself. */
const ANNOUNCES = /(?<!:[\w+-]{1,30})[:：][*_\s]{0,10}$/u;

/** It only announces what stands below, which is not shown with it. */
const announcesOnly: Bar = (asked, { text, isCode, headsList }) =>
  asked.kind === undefined && !isCode && !headsList && ANNOUNCES.test(text);

/** People by what they do. */
const ROLE = expression('giu')`
  \b(?:teams?|groups?|committees?|boards?|councils?|chairs?|managers?|directors?|officers?|owners?|leads?|leaders?|
    maintainers?|admins?|administrators?|presidents?|secretar(?:y|ies)|treasurers?|engineers?|developers?|
    designers?|staff|departments?|editors?|heads?|founders?|ceo|cto|members?|person|people|we|everyone|everybody|
    anyone|anybody|nobody)\b
`;
/** `Graham Inglis`, `National Cyber Security Centre`. */
const CAPITALS = /(?<!\p{L})\p{Lu}[\p{L}'’-]{1,40}(?: (?:of |& )?\p{Lu}[\p{L}.'’-]{0,40}){1,6}/gu;
/** `@mara`; beside a name it is the same person's. */
const HANDLE = /(?<![\p{L}\p{N}])@\p{L}[\w-]{1,40}/gu;
/** `Mara chairs it.` */
const NAME_FIRST = expression('u')`
  ^[*_]*\p{Lu}\p{L}+ (?:is|was|has|runs|leads|heads|owns|manages|chairs|maintains|approves|signs|decides|looks|
    takes|supervises|oversees|coordinates|organi[sz]es|administers|hosts)\b
`;
/** `- Mara`, `- **Joren** since 2019`: an entry may have no more than one word of a name. */
const ENTRY_NAME = /^(?:[-*+•] |\p{N}{1,3}[.)] )?[*_[]{0,3}(\p{Lu}\p{L}{1,40})/u;

/** Whether a text names somebody whom the question, of these stems, does not name itself. */
function namesSomebody(text: string, asked: ReadonlySet<string>, entry: string): boolean {
  const isNew = (said: string): boolean => contentStems(said).every((word) => !asked.has(word));
  const names = [...(text.match(CAPITALS) ?? []), ...(NAME_FIRST.exec(text) ?? [])];
  const said = names.length > 0 ? names : (text.match(HANDLE) ?? []);
  const first = names.length > 0 ? undefined : ENTRY_NAME.exec(entry)?.[1];
  return [...(text.match(ROLE) ?? []), ...said, ...(first === undefined ? [] : [first])].some(isNew);
}

/** It is a sentence or an entry that names nobody, where somebody is asked for by what they are or do. */
const namesNobody: Bar = (asked, { kind, text, isCode, own }) => {
  const isEntry = kind === 'item' && !isCode;
  return (kind === 'sentence' || isEntry) && asked.asks.role && !namesSomebody(text, asked.stems, isEntry ? own : '');
};

const DECLARES = /^[\w$#@]{1,80}\??: ?[^"'`=(){}]{1,120}[;,]?$/u;

/** It is a member of a class that is no more than declared, where somebody asks how to do something. */
const onlyDeclares: Bar = (asked, { isCode, own }) => isCode && asked.asks.howOneDoes && DECLARES.test(own);

const HAS_VALUE = /[=:]\s*\S/u;

/** Whether a default is asked for in a program, and a unit of it gives nothing a value. */
const givesNoDefault: Bar = (asked, { kind, text, isCode }) =>
  isCode && asked.asks.default && !(SAYS_VALUE.has(kind) && HAS_VALUE.test(text));

/** Whether it says nothing of a default where one is asked for in a program. */
const lacksDefault: Bar = (asked, unit) => givesNoDefault(asked, unit) && !/default/iu.test(unit.text);

/** What illustrates a rule stands behind the rule. */
const IS_EXAMPLE = /^\s*(?:for (?:instance|example)|e\.\s?g\.|suppose|imagine)\b/iu;
const isExample: Bar = (asked, { text }) => IS_EXAMPLE.test(text) && !asked.asks.example;

/** Code in a text shows how something is done. */
const isCodeInText: Bar = (asked, { kind, isCode }) => !isCode && kind === 'statement' && !asked.asks.how;

/** A link to another page and nothing else. */
const ONLY_A_LINK =
  /^(?:(?:[-*+]|\p{N}{1,9}[.)])\s{1,9})?(?:\[[^[\]\n]{1,300}\]\([^()\n]{0,500}\)|\[\[[^[\]\n]{1,300}\]\])\.?$/u;
const isOnlyLink: Bar = (asked, { own }) => ONLY_A_LINK.test(own) && !asked.asks.linked;

/** `Date: 2023-11-14`, `last_reviewed_on: 3 May 2024`: when a page was written or looked at. */
const DATE_OF_PAGE = expression('iu')`
  ^(?:[-*+] )?[*_]{0,2}(?:(?:start )?date|(?:created|published|(?:last[ _-])?(?:reviewed|updated|modified))
    (?:[ _-](?:on|at))?)(?::[*_]{0,2}|[*_]{0,2}:) ?["']?(?:(?:1[5-9]|20)\p{N}{2}[-/.]\p{N}{1,2}[-/.]\p{N}{1,2}|
    \p{N}{1,2}[-/. ](?:\p{N}{1,2}|\p{L}{3,9})[-/. ](?:1[5-9]|20)\p{N}{2}|
    \p{L}{3,9} \p{N}{1,2}, (?:1[5-9]|20)\p{N}{2})["']?$
`;
const isDateOfPage: Bar = (asked, { own }) => asked.kind === undefined && DATE_OF_PAGE.test(own) && !asked.asks.date;

/** A line that asks answers nothing. */
const IS_QUESTION = /\?["”'’)\]*_\s]{0,10}$/u;
const isQuestion: Bar = (asked, { text, isCode }) => !isCode && IS_QUESTION.test(text) && !asked.asks.questions;

/** An import says what a file takes from elsewhere, and nothing of who uses it. */
const isImport: Bar = (asked, { kind }) => kind === 'import' && !(asked.asks.imports && !asked.asks.users);

/** `border-radius: 8px;`, `--gap: 1rem;`: a property of a stylesheet; `width: number;` is a member of a type. */
const STYLE = expression('u')`
  ^(?:--[\w-]{1,60}|(?:-(?:webkit|moz|ms|o)-)?(?:align|animation|appearance|background|border|bottom|box|caret|
      color|column|content|cursor|display|fill|flex|float|font|gap|grid|height|inset|justify|left|letter|line|list|
      margin|max|min|object|opacity|order|outline|overflow|overscroll|padding|place|pointer|position|resize|right|
      row|scroll|stroke|text|top|transform|transition|user|vertical|visibility|white|width|will|word|z)
    (?:-[a-z]+){0,4}) ?: ?(?!(?:string|number|boolean|any|unknown|never|void|object|bigint|symbol|null|undefined|
      readonly|typeof|keyof|unique|u?int|float|double|char|bool)\b)
  [\p{Ll}\p{N}#."'(+-][^:;{}<>|=[\]\n]{0,160};{1,2}$
`;
const isStyle: Bar = (asked, { own }) => STYLE.test(own) && !asked.asks.looks;

/** A row of a table that shares no word with the question is of something else. */
const isOtherRow: Bar = (_asked, { kind, covered }) => kind === 'row' && covered <= 0;

/** What a unit may lack. */
const LACKS: readonly Bar[] = [
  lacksKind,
  lacksExactKind,
  countsOtherwise,
  announcesOnly,
  namesNobody,
  onlyDeclares,
  lacksDefault,
];
/** What a unit may be. */
const IS_NO_ANSWER: readonly Bar[] = [
  isExample,
  isCodeInText,
  isOnlyLink,
  isDateOfPage,
  isQuestion,
  isImport,
  isStyle,
  isOtherRow,
];

/**
 * Whether a unit may stand in the answer's place: nothing bars it. What a program says of a default that is asked for
 * may be said in any form. Trained models have this among their features.
 */
export function mayLead(question: Pick<QuestionProfile, 'text'>, unit: FittedUnit): boolean {
  const asked = askedOf(question.text);
  const read = { ...unit, own: lastLineOf(unit.text) };
  const meets = (bar: Bar): boolean => bar(asked, read);
  return !LACKS.some(meets) && (givesNoDefault(asked, read) || !IS_NO_ANSWER.some(meets));
}
