import { expression } from '#base';
import { contentStems, expectedAnswer, type QuestionType, readNames, type Passage, type TextSpan } from '#search';

/** What has to be read before a unit to understand it; offsets where it stands in the same passage. */
interface QuoteContext extends Partial<TextSpan> {
  text: string;
}

/** A stretch of a passage, verbatim; offsets into the passage's text. */
export interface Quote extends TextSpan {
  passage: Passage;
  text: string;
  /** Of its best sentence. */
  score: number;
  /** What it is by the syntax of its file, where that is known: `row`, `item`, `statement`, … */
  kind?: string;
  context?: QuoteContext;
  /** One of those that best answer: it stands apart. */
  leads?: true;
  /** What its file is called beside others that are called alike: `sftp/client.go`. */
  file?: string;
}

/** Stems of what is said in several places, of a unit and of what stands around it, as far as these are there. */
export const stemsIn = (...texts: readonly (string | undefined)[]): string[] =>
  contentStems(texts.filter(Boolean).join('\n'));

/**
 * `outline`: a question over everything; several passages are shown by their names, and the bar for answering is lower.
 * `sides`: a comparison, or what asks yes or no: what is to be weighed stands side by side. `list`: several are asked
 * for, and no single one stands for them.
 */
export type ExtractiveShape = 'answer' | 'sides' | 'list' | 'outline';

/**
 * What is asked for is named, so that it is not everything: `Which error is raised when all attempts fail?`, `Where do
 * the settings come from?`, `What does it look like by default?`
 */
const ONE_KIND =
  /^\s*(?:which|who(?:se|m)?|where|when|how (?:many|much|long|often|far|old|big|large))\b|\bby default\b/iu;

/** How the quotes of an answer are laid out: by what the question asks for. */
export function shapeOf(question: string, type: QuestionType): ExtractiveShape {
  if (type === 'overview' && !ONE_KIND.test(question)) return 'outline';
  if (asksForList(question)) return 'list';
  const { kind } = expectedAnswer({ text: question, names: readNames(question) });
  return type === 'comparison' || kind === 'choice' || kind === 'yes-no' ? 'sides' : 'answer';
}

/** The noun that is asked for ends before one of these. */
const AUXILIARY = /^(?:is|was|are|were|has|have|had|do|does|did|can|could|will|would|should|must|may)$/iu;
/**
 * What follows a verb in the singular, and no noun in the plural that stands behind another: `applies to`, `makes the`.
 */
const AFTER_VERB =
  /^(?:the|a|an|our|my|your|its|their|it|to|for|in|on|at|by|of|with|from|into|as|about|\p{L}*(?<!s)s)$/iu;
const BEGINS_CLAUSE = /^(?:when|if|once|while|unless|until|because|after|before)$/iu;
const DETERMINER = /^(?:the|an?|our|my|your|its|their|this|that|these|those|both|all)$/iu;
/** Words in s that are no plural: class, status, analysis, alias, macOS. */
const NO_PLURAL = expression('iu')`
  (?:ss|'s|’s|(?<!^(?:men|cp|gp|gur|em))us|[sxt]is|ics)$|
  ^(?:debris|redis|this|news|series|alias|bias|canvas|gas|atlas|pandas|christmas|has|was|chaos|kudos|
    (?:mac|i|watch|tv|chrome|cent|nix)?os)$
`;
const IRREGULAR_PLURALS = /^(?:people|children|men|women|criteria|phenomena)$/iu;
/** Verbs of the third person that might be plurals: before further words they are what the one thing does. */
const DOES = expression('iu')`
  ^(?:happens|means|causes|triggers|disables|enables|sets|calls|controls|handles|returns|throws|decides|determines|
    contains|holds|defines|declares|creates|uses|starts|stops|runs|reads|writes|loads|parses|checks|validates|makes|
    gives|gets|shows|tells|says|turns|opens|closes|limits|keeps|removes|deletes|adds|converts|maps|builds|sends|
    receives|stores|provides|supports|covers|pays|takes|comes|goes|owns|leads|manages|approves|applies|describes|
    explains|lists|prints|registers|renders|resolves|wraps|needs|requires|lets|allows|prevents|blocks|serves|hosts|
    ships|replaces|answers|ends|begins)$
`;
/** `Which of the runtime entries start …`, `From which steps of a build …`: the words up to the verb. */
const WHICH = /\b(?:which|what)((?:\s+[\p{L}\p{N}'’-]+){1,6})/iu;
/** `What are the steps`, `Who are the keepers`. */
const PLURAL_COPULA = /\b(?:what|who|which|where) (?:are|were) (?:\p{L}+ ){0,4}?(\p{L}+s)\b/iu;
const MEMBERS = expression('iu')`
  ^\s*who (?:all )?(?:(?:is|are|was|were) (?:all )?(?:in|on|among|part of)|sits? (?:in|on)|serves? (?:in|on)|
    belongs? to|attended|took part)\b
`;
const PLACES = /^\s*where (?:all )?(?:is|are) .+\b(?:called|used|imported|referenced|mentioned|named|linked)\b/iu;
const ENUMERATE = /^\s*(?:please )?(?:list|enumerate|name (?:all|every|each)|show (?:me )?(?:all|every|each))\b/iu;

/** `What must be in a runbook?`, `What should a report include?`: the parts of a whole. */
const CONTENTS = expression('iu')`
  \bwhat (?:all )?(?:must|should|shall|has to|have to|needs? to) (?:be|go) (?:in|into|inside)\b|
  \bwhat (?:goes|belongs) (?:in|into|inside)\b|\bwhat (?:must|should|shall|does|do|can|may|has|have|needs?)
  (?: [\p{L}\p{N}'’-]+){1,8} (?:include|contain|comprise|consist of)\b
`;
const CONTAINS = /\b(?:go(?:es)?|belongs|include|contain|comprise|consist|needs?)\b/giu;

/** What the question asks the contents of (`a runbook`); undefined where it does not ask for contents. */
export const askedContentsOf = (question: string): string | undefined =>
  CONTENTS.test(question) ? question.replace(CONTAINS, ' ') : undefined;

/** Whether several things are asked for, as far as the words tell. One too many shows more lines, and loses none. */
export const asksForList = (question: string): boolean =>
  [MEMBERS, PLACES, ENUMERATE, CONTENTS].some((pattern) => pattern.test(question)) ||
  askedThings(question) !== undefined;

/** What several are asked for of, as it is called: `steps`, of “From which steps of a build …?”. */
export function askedThings(question: string): string | undefined {
  const plural = PLURAL_COPULA.exec(question)?.[1];
  if (plural !== undefined) return plural;
  const words = (WHICH.exec(question)?.[1] ?? '').trim().split(/\s+/u);
  // `What made our batteries stop?`, `What fails when the disk is full?`: the one thing that does.
  const [first = '', second = ''] = words;
  if (first.endsWith('s') && BEGINS_CLAUSE.test(second)) return undefined;
  if (first !== 'of' && !isPlural(first) && DETERMINER.test(second)) return undefined;
  const end = words.findIndex(
    (word, i) =>
      AUXILIARY.test(word) || (DOES.test(word) && i < words.length - 1 && !AUXILIARY.test(words[i + 1] ?? '')),
  );
  const phrase = end < 0 ? words : words.slice(0, end);
  const at = phrase.findIndex(isPlural);
  if (at < 0 || phrase.slice(0, at).some((word) => /^(?:two|one|both|1|2)$/iu.test(word))) return undefined;
  return at === 0 || !AFTER_VERB.test(phrase[at + 1] ?? '') ? phrase[at] : undefined;
}

const isPlural = (word: string): boolean =>
  IRREGULAR_PLURALS.test(word) || (/\p{L}{2}s$/iu.test(word) && !NO_PLURAL.test(word));
