import { expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';
import { contentStems } from '../../text/words.ts';
import { type AskedKind, askedKind } from './asked-kind.ts';
import { type ExactKind, exactKindsAsked } from './exact-kinds.ts';
import { holdsKind } from './kind-fit.ts';
import { HOW_MANY_OF_TIME } from './units-of-time.ts';

/** What a question may ask for beside a kind of thing, by its words. */
const ASKS_FOR = {
  /** In which release something came. */
  release: expression('iu')`
    \b(?:releases?|since|introduc\w+|add(?:s|ed)?|fix(?:es|ed)?|remov\w+|dropp\w+|chang\w+|deprecat\w+|came|landed|
      shipped|first)\b
  `,
  default: /\bdefaults?\b/iu,
  example: /\b(?:example|instance|e\.g)\b/iu,
  /** What has a page: a thing, a person, a place. */
  linked: /\b(?:which|who|whom|whose|where|what are|list|links?|pages?|documents?|guides?)\b/iu,
  date: expression('iu')`
    \b(?:dates?|dated|when|old|recent\p{L}*|since|last|latest|start\p{L}*|began|years?|months?|days?|times?|
      review\p{L}*|updat\p{L}*|creat\p{L}*|publish\p{L}*|modif\p{L}*|written)\b
  `,
  questions: /\b(?:ask(?:s|ed|ing)?|questions?)\b/iu,
  /** What code in a text answers, beside what shows how something looks. */
  how: /\b(?:how (?:do|does|can|could|should|would|to)|examples?|commands?|code|syntax|usage|runs?|calls?|looks?)\b/iu,
  /** `How do I add a dependency?`, `How can one …` */
  howOneDoes: /\bhow (?:do|can|could|should|would|must) (?:i|we|you|one|people|they)\b|\bhow to\b/iu,
  /** `Who runs the centre?`: what somebody is or does. */
  role: expression('iu')`
    (?:^\s*(?:and )?|, )who(?:(?:['’]?s| is| are| was| were) (?:an? |the |our |its |in charge|responsible|accountable|
        on )| (?:currently )?(?:runs?|leads?|heads?|owns?|manages?|chairs?|maintains?|approves?|signs?|decides?|
        looks after|takes care|supervises?|oversees?|coordinates?|organi[sz]es?|administers?|hosts?)\b)
  `,
  /** How something looks on a page. */
  looks: expression('iu')`
    \b(?:colou?r\w*|widths?|wide|heights?|high|tall|fonts?|margins?|padding|borders?|round\w*|gaps?|spac\w+|sizes?|
      bigg?\w*|large\w*|small\w*|pixels?|\d*px|r?em|css|styl\w+|themes?|looks?|layout|dark|light|align\w*|
      cent(?:er|re)\w*|bold|hover\w*|cursors?|animat\w+|transition\w*|opacity|transparen\w+|hid(?:e|es|den)|visible|
      visibility|breakpoints?|responsive|mobile|sticky|shadows?|overlap\w*|overflow\w*|scroll\w*|z-index|stack\w*|
      background\w*)\b
  `,
  /** What a file takes from elsewhere. */
  imports: /\b(?:import|depend|package|librar|module|require|takes? from|uses?|using)/iu,
  /** Things that use something. */
  users:
    /^\s*(?:which|what) (?!\S{0,20}(?:librar|package|module|dependenc))(?:\S{1,40} ){1,3}uses? (?:the|an?|its) \S/iu,
};

/** `How many votes`, `how many of the votes`. */
const COUNTED = /\bhow many (?!per ?cent)(?:of (?:the|our|your|their) )?([\p{L}-]{3,40})/iu;
/** `When must I ask the board?`, `When does a run fail?`: a condition may answer, where no time is set. */
const MAY_BE_CONDITION = /^\s*(?:and )?when (?:must|should|shall|may|might|can|could|would|do|does)\b/iu;
/** Not `if` as the key of a setting, nor `even if`, `as if`. */
const SAYS_CONDITION = /(?<!\b(?:as|even|what) )\b(?:if|unless|in case|as soon as|provided)(?! ?[:=(])\b/iu;

/** What a question asks for, read once for all units. */
export interface AskedQuestion {
  text: string;
  kind: AskedKind | undefined;
  /** It asks when, and a condition may answer it as well as a time. */
  byCondition: boolean;
  /** What it names exactly. */
  exact: readonly ExactKind[];
  /** What it counts time in: `seconds`. */
  unitOfTime: string | undefined;
  /** Stems of the things that it counts. */
  counted: readonly string[];
  /** Stems of all its words. */
  stems: ReadonlySet<string>;
  asks: Readonly<Record<keyof typeof ASKS_FOR, boolean>>;
}

function readAsked(question: string): AskedQuestion {
  const kind = askedKind(question);
  const asks = Object.fromEntries(Object.entries(ASKS_FOR).map(([name, pattern]) => [name, pattern.test(question)]));
  return {
    text: question,
    kind,
    byCondition: kind === 'time' && MAY_BE_CONDITION.test(question),
    exact: exactKindsAsked(question),
    unitOfTime: HOW_MANY_OF_TIME.exec(question)?.[1]?.toLowerCase(),
    counted: contentStems(COUNTED.exec(question)?.[1] ?? ''),
    stems: new Set(contentStems(question)),
    asks: asks as AskedQuestion['asks'],
  };
}

/** The question that was asked last: all units of a run are held against one. */
let last: AskedQuestion | undefined;

export function askedOf(question: string): AskedQuestion {
  if (last?.text !== question) last = readAsked(question);
  return last;
}

/**
 * Whether a text holds the kind of thing that is asked for, or a condition where that answers; true where the question
 * names no kind.
 */
export const holdsAsked = (asked: AskedQuestion, text: string, isCode: boolean, unit?: UnitKind): boolean =>
  asked.kind === undefined ||
  holdsKind(asked.kind, text, isCode, unit) ||
  (asked.byCondition && (!isCode || unit === 'comment') && SAYS_CONDITION.test(text));
