import { expression } from '#base';
import {
  contentStems,
  IRREGULAR_PASTS,
  withoutTrailing,
  type HopReasonKind,
  type Passage,
  type PassageChain,
  type Reading,
  type ReadUnit,
} from '#search';
import type { UnitOfTime } from './figures.ts';
import { stemsIn } from './quote.ts';

/** A part of a question that is a question of its own. */
export interface QuestionPart {
  /** What is asked and looked up. */
  question: string;
  /** What it is called beside the others: itself, or the side of the comparison. */
  label: string;
  /** `part`: a question beside another; `side`: one of two things that are compared. */
  kind: 'part' | 'side';
  /**
   * Whether it needs the part before it: `wholly`, where a word stands for what that asks about (`when was it
   * repaired`) or leaves it out (`what happens with more`); `perhaps`, where it names nothing that is known by itself
   * (`who approves an extension`). Undefined where it stands alone.
   */
  leans?: 'wholly' | 'perhaps';
  /** The two sides are the ends of a time that is asked for, in the unit that the question names. */
  ends?: { unit?: UnitOfTime };
  /** The question asks for yes or no: whether the first side is so beside the second (`Is A older than B?`). */
  whether?: true;
}

const WH =
  String.raw`(?:(?:to|for|by|from|in|on|at|with|of|since|until|under) )?` +
  String.raw`(?:what|which|who|whom|whose|when|where|why|how)\b`;
/** Before a question word that begins a question beside the one before it; a comma alone may open a relative clause. */
const JOINT = new RegExp(
  String.raw`(?:[?] |,? (?:and|but) )(?=(?:and )?${WH})|\? |, (?=(?:when|where|why|how|what)\b)`,
  'giu',
);
const AUXILIARY =
  '(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|may|might|' +
  "isn't|aren't|doesn't|don't)";
const NO_SUBJECT = String.raw`(?!(?:i|you|we|they|he|she|it|the|a|an|our|your|their|its|his|her|this|that|these|those)\b)`;
/** Question words in the order of a question, not of a clause: `what does it cost`, and not `what it costs`. */
const ASKS = expression('iu')`
  ^(?:(?:who|what) ${NO_SUBJECT}\p{L}|(?:which|whose|how (?:many|much)) (?:\p{L}|\p{N})|${WH} ${AUXILIARY}\b|
    ${WH} ${NO_SUBJECT}[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,5} ${AUXILIARY}\b|${AUXILIARY}\b)
`;
/** Behind a comma alone: a relative clause is never in this order. */
const INVERTED = new RegExp(
  String.raw`^(?:(?:when|where|why|what) ${AUXILIARY}|how (?:many|much|long|often|old|far|big|large)) `,
  'u',
);
/** What leaves out the verb of the part before says nothing alone: `and who if we move`, `and what bulk`. */
const LACKS_VERB =
  /^(?:who|whom|what|which) (?:(?:if|for|to|in|on|at|with|from|by|of|about|when|as)\b|\p{L}{1,30}(?<!s|ed)[?.! ]*$)/iu;
/** A clause that goes on behind `and` with the same word: `the keeper, who …, and who …`. */
const RELATIVE = /, (?:who|whose|whom|which)\b/iu;
/** What takes a clause as its object: what follows is no question of its own. */
const TAKES_CLAUSE = expression('iu')`
  \b(?:says?|said|tells?|told|knows?|shows?|explains?|describes?|decides?|determines?|depends? on|controls?|
    defines?|documents?|lists?|remembers?|between|whether|about|both|asks?|sees?|finds? out|understands?|
    regardless of|no matter|of)$
`;
/** Words that stand for what was said before: alone, the part would ask about nothing. */
const POINTS_BACK = expression('iu')`
  \b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|these|those|that one|the same|the former|
    the latter|(?<!\b(?:is|are|was|were) )there(?! (?:is|are|was|were)\b)|then)\b|\beach$
`;
/** What stands for the thing that the part before asks about; other words may stand for its answer. */
const STANDS_FOR_SUBJECT = /\b(?:its?|them|theirs?)\b/giu;
/** What is counted or compared is left out. */
const LEAVES_OUT = /\b(?:more|less|fewer|none|others?|another|too (?:many|much|few))$/iu;
/** One of a kind that nothing names, and what names one. */
const ANY_ONE = /\b(?:an?|any)\b/iu;
const NAMED = /(?<=\s)\p{Lu}|[`"“_\p{N}]/u;
/** `What is X and who runs it`: before what the first part asks about. */
const DEFINES = /^(?:what|who|where) (?:is|are|was|were) /iu;
const LONGEST_NAME = 60;
/** More parts than a person joins in one breath. */
const MOST_PARTS = 4;

/**
 * The questions that a question asks: its parts where each is a question of its own, the sides of a comparison where
 * each can be looked up on its own, else the question itself. By its shape alone: what must not be split is left whole.
 */
export function questionParts(question: string): QuestionPart[] {
  const text = question.trim().replace(/\s+/gu, ' ');
  const asked = joinedQuestions(text) ?? introducedQuestions(text);
  if (asked) return asked;
  const sides = endsOfTime(text) ?? comparedSides(text) ?? heldAgainst(text);
  return sides?.map((side) => ({ ...side, kind: 'side' as const })) ?? [{ question: text, label: text, kind: 'part' }];
}

function joinedQuestions(text: string): QuestionPart[] | undefined {
  const cuts = [...text.matchAll(JOINT)].map(({ index, 0: joint }) => ({ index, end: index + joint.length }));
  const parts: string[] = [];
  let from = 0;
  for (const { index, end } of cuts) {
    const before = text.slice(from, index).trim();
    const after = text.slice(end).trim();
    if (!isQuestion(before) || TAKES_CLAUSE.test(before) || !ASKS.test(withoutAnd(after))) continue;
    if (lacksVerb(withoutAnd(firstOf(after)))) continue;
    if (contentStems(withoutAnd(firstOf(after))).length === 0) continue;
    if (RELATIVE.test(before) && /^(?:and )?(?:who|whose|whom|which)\b/iu.test(after)) continue;
    if (text.slice(index, end) === ', ' && !INVERTED.test(after)) continue;
    parts.push(before);
    from = end;
  }
  parts.push(text.slice(from).trim());
  if (parts.length < 2 || parts.length > MOST_PARTS) return undefined;
  return resolved(parts.map((part) => withoutTrailing(withoutAnd(part), /[?.!,; ]/)))?.map(({ said, leans }) => {
    const question = `${said.charAt(0).toUpperCase()}${said.slice(1)}?`;
    return { question, label: question, kind: 'part', ...(leans && { leans }) };
  });
}

/** A sentence that says what the questions behind it are about: `Our code is secret: what …, and which …?` */
const INTRODUCES = new RegExp(String.raw`^[^?]{3,200}?[.!:;] (?=${WH})`, 'iu');

/** Questions behind an introduction, each with it; undefined where that introduces one. */
function introducedQuestions(text: string): QuestionPart[] | undefined {
  const introduction = INTRODUCES.exec(text)?.[0];
  if (introduction === undefined) return undefined;
  return joinedQuestions(text.slice(introduction.length))?.map((part) => ({
    ...part,
    question: introduction + part.question,
  }));
}

const lacksVerb = (part: string): boolean =>
  LACKS_VERB.test(part) &&
  !IRREGULAR_PASTS.has(
    withoutTrailing(part, /[?.! ]/)
      .split(' ')
      .at(-1)
      ?.toLowerCase() ?? '',
  );

const withoutAnd = (text: string): string => text.replace(/^(?:and|but) /iu, '');
/** Up to where the next question may begin. */
const firstOf = (text: string): string => text.split(/[?!] /u, 1)[0] ?? text;

/** It begins as a question, and asks about something; an introduction and its question are one. */
const isQuestion = (text: string): boolean => ASKS.test(withoutAnd(text)) && contentStems(text).length > 0;

/** What a part says, and whether it needs the one before. */
interface SaidPart extends Pick<QuestionPart, 'leans'> {
  said: string;
}

/**
 * Parts as they can be looked up: where a part points back to what the first one defines, the pronoun is replaced by
 * it; where it needs the part before in another way, it is marked so. Undefined where a part may point at something
 * that is not known yet.
 */
function resolved(parts: readonly string[]): SaidPart[] | undefined {
  const [first = '', ...others] = parts;
  if (POINTS_BACK.test(first)) return undefined;
  const defines = DEFINES.exec(first)?.[0].length ?? first.length;
  const about = first.length - defines <= LONGEST_NAME ? withoutParticiple(first.slice(defines)) : '';
  const rest = others.map((part): SaidPart | undefined => {
    const said = about === '' ? part : part.replace(/\b(?:it|them)\b/iu, () => about);
    if (!POINTS_BACK.test(said)) return { said, leans: leaningOf(said) };
    return POINTS_BACK.test(said.replace(STANDS_FOR_SUBJECT, '')) ? undefined : { said, leans: 'wholly' };
  });
  return rest.every((part) => part !== undefined) ? [{ said: first }, ...rest] : undefined;
}

/** `The log kept`, of “Where is the log kept”: the log. */
const withoutParticiple = (named: string): string =>
  named.replace(/ (\p{L}+)$/u, (all, last: string) =>
    last.endsWith('ed') || IRREGULAR_PASTS.has(last.toLowerCase()) ? '' : all,
  );

/** By its words, where none of them points back. */
function leaningOf(part: string): QuestionPart['leans'] {
  if (LEAVES_OUT.test(part)) return 'wholly';
  return ANY_ONE.test(part) && !NAMED.test(part) ? 'perhaps' : undefined;
}

const MOST_WORDS_OF_SIDE = 8;
const ASKS_WHICH = /^(?:(?:in |on |at )?(?:which|who|what|where)|does|do|did|is|are)\b/iu;
const DIFFERENCE = /^(?:what|which) (?:is|are) the (?:main |exact )?differences? between /iu;
const COMPARE = /^(?:please )?compare /iu;

/** Each side with what is asked of it; undefined where there are no two. */
function comparedSides(text: string): Omit<QuestionPart, 'kind'>[] | undefined {
  const asked = withoutTrailing(text, /[?.! ]/);
  const compared = DIFFERENCE.exec(asked) ?? COMPARE.exec(asked);
  if (compared) return sidesOf('', asked.slice(compared[0].length).split(/ (?:and|with|to) /iu));
  const comma = Math.max(asked.lastIndexOf(', '), asked.lastIndexOf(': '));
  if (comma < 0) return undefined;
  const [before, after] = [asked.slice(0, comma), asked.slice(comma + 2)];
  // `Which meets more often, Ecosystem or Upgrades?`, `Ecosystem or Upgrades: which meets more often?`
  if (ASKS_WHICH.test(before) && !/[?.!]/u.test(before) && !goesOn(before, after))
    return sidesOf(before, after.replace(/^either /iu, '').split(/ or /iu));
  return ASKS_WHICH.test(after) ? sidesOf(after, before.split(/ or /iu)) : undefined;
}

/** `Which of npm, yarn or pnpm is used`: the first of the things that are told stands before the comma. */
const FIRST_OF_THEM = /^(?:which|who|what) of (?!the\b|these\b|those\b)/iu;
/** Begun so, a question is whole before its sides only where it holds them against each other. */
const ASKS_WHETHER = /^(?:does|do|did|is|are|where)\b/iu;
const HOLDS_AGAINST = expression('iu')`
  \b(?:more|less|fewer|better|worse|first|last|
    (?:earli|lat|soon|fast|slow|larg|bigg|small|high|low|long|short|old|new|young|cheap|heavi|light|wid|saf|easi|
      hard|strong|weak|simpl|clos|near|deep)(?:er|est))\b
`;

/** Whether what stands before a comma goes on behind it: `Does it cover dental, vision or hearing?` */
const goesOn = (before: string, after: string): boolean =>
  FIRST_OF_THEM.test(before) ||
  (ASKS_WHETHER.test(before) &&
    !HOLDS_AGAINST.test(before) &&
    !after.split(/ or /iu).every((side) => /^[\p{Lu}\d`"“]/u.test(side)));

/** Whether each of two can be looked up on its own. */
const areSides = (sides: readonly string[]): boolean =>
  sides.length === 2 &&
  sides.every(
    (side) =>
      side.split(' ').length <= MOST_WORDS_OF_SIDE &&
      contentStems(side).length > 0 &&
      !/[,;:]|\b(?:or|and|because|whether|regardless|if|what|who|which)\b/iu.test(side),
  );

function sidesOf(frame: string, sides: readonly string[]): Omit<QuestionPart, 'kind'>[] | undefined {
  if (!areSides(sides)) return undefined;
  const asked = frame
    .replace(OF_THE_TWO, '')
    .replace(/\bof the two ?/iu, '')
    .trim();
  return sides.map((side) => ({ question: [side.trim(), asked].filter(Boolean).join(' '), label: side.trim() }));
}

const IS = /^(?:is|are|was|were|has|have|had) /iu;
const DOES = /^(?:does|do|did) /iu;
const BESIDE = / (than|before|after) /iu;
const HOW_ELSE = expression('iu')`
  \b(?:more|less|fewer|
    (?:earli|lat|soon|old|new|young|larg|bigg|great|high|long|wid|tall|heavi|small|low|short|narrow|light)er)\b
`;
/** What is named or known: not `a month`, `usual`, `two`. */
const ONE_THING = /^(?:(?:the|our) (?!(?:others?|rest|usual|average|last)\b)|[\p{Lu}`"“])/u;
const OWN_VERB = / (?:do|does|did|is|are|was|were|has|have|had)$/iu;
const BEFORE_KIND = / (?:an?|the|any|much|far)$/iu;

/** `Is A older than B?`, `Was A built before B?`: each side with what is asked of both. */
function heldAgainst(text: string): Omit<QuestionPart, 'kind'>[] | undefined {
  const asked = withoutTrailing(text, /[?.! ]/);
  const begin = IS.exec(asked) ?? DOES.exec(asked);
  const joint = BESIDE.exec(asked);
  if (!begin || !joint) return undefined;
  const held = asked.slice(begin[0].length, joint.index);
  const other = asked.slice(joint.index + joint[0].length).replace(OWN_VERB, '');
  const said = joint[1]?.toLowerCase() === 'than' ? HOW_ELSE.exec(held)?.index : held.length;
  if (said === undefined) return undefined;
  const named = held.slice(0, said).trim().replace(BEFORE_KIND, '');
  const label = DOES.test(begin[0]) ? named.replace(/ \S+$/u, '') : withoutParticiple(named).replace(/ been$/iu, '');
  const order = { than: '', before: ' earlier', after: ' later' }[joint[1]?.toLowerCase() ?? ''] ?? '';
  const frame = `${held.slice(label.length)}${order}`.trim();
  const sides = [label, other];
  if (!areSides(sides) || !sides.every((side) => ONE_THING.test(side) && !POINTS_BACK.test(side))) return undefined;
  if (order !== '' && frame === order.trim()) return undefined;
  return sides.map((side) => ({ question: `${side} ${frame}`, label: side, whether: true }));
}

/** `How long was it between …`, `How many days passed from …`; not `How long is the walk from …`. */
const TIME_BETWEEN = expression('iu')`
  ^how (?:long|much time|many (minute|hour|day|week|month|year)s)
  (?:[ ](?:was it|was there|were there|are there|is there|passed|went by|elapsed|lay|lie|did it take|
    was the (?:time|gap|wait|delay)))? (?:between|from)[ ]
`;

/** The two ends of a time that is asked for, each to be looked up as a date; undefined where there are no two. */
function endsOfTime(text: string): Omit<QuestionPart, 'kind'>[] | undefined {
  const asked = withoutTrailing(text, /[?.! ]/);
  const between = TIME_BETWEEN.exec(asked);
  if (!between) return undefined;
  const [said, unit] = between;
  const joint = / from $/iu.test(said) ? / (?:to|until|till) /iu : / and /iu;
  const sides = asked
    .slice(said.length)
    .split(joint)
    .map((side) => side.trim());
  if (!areSides(sides) || sides.some((side) => POINTS_BACK.test(side))) return undefined;
  const ends = unit === undefined ? {} : { unit: unit.toLowerCase() as UnitOfTime };
  return sides.map((label) => ({ question: `When was ${label}?`, label, ends }));
}

const OF_THE_TWO = /^(?:which|who|what)(?: of (?:the|these|those)(?: two)?)? /iu;

/** A part of a question that was looked up before the one that is read. */
export interface PartBefore {
  question: string;
  chain: PassageChain;
}

/** What stands before a part in its question, and what was found with the part. */
interface PartSurroundings {
  before: readonly PartBefore[];
  /** Chains of what was looked up for the part: its own, and the whole question's where it leans on that. */
  chains: readonly PassageChain[];
  /** Everything that was read. */
  passages: readonly Passage[];
}

/**
 * So much of what other passages have of the part's words, those of the part before must have to be preferred: what
 * stands alone may be about another thing, a pronoun never is.
 */
const LEAST_SHARE = { alone: 1, perhaps: 0.5, wholly: 0 } as const;
/** What is left of the score of a unit whose passage has no word of what the part before asks. */
const OTHER_SUBJECT = 0.2;
/**
 * What a unit gains that has all words of what the part before asks, beside the most of the part's own: of two alike it
 * is meant.
 */
const OWN_SUBJECT = 0.5;
/** What a program does beyond a bound is what it throws. */
const ASKS_WHAT_HAPPENS = /\bwhat (?:happens|happened|occurs|will happen|would happen)\b/iu;
/** Hops that lead on from what a passage itself points at. */
const LEADS_ON: ReadonlySet<HopReasonKind> = new Set(['link', 'backlink', 'title']);

/**
 * What was read for a part, with units first that are of the subject of the parts before it: in passages of their
 * chains and those that these link to; elsewhere by the words of the earlier parts that a passage has. Undefined where
 * nothing changes: where such passages have less of the part's own words than others, it asks about another thing.
 */
export function inSubject(
  reading: Reading,
  part: QuestionPart,
  { before, chains, passages }: PartSurroundings,
): Reading | undefined {
  const subject = subjectPassages(before, chains);
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const asked = new Set(contentStems(part.question));
  const able = reading.sentences.filter(({ fits }) => fits !== false);
  const shared = (unit: ReadUnit): number => sharedWords(asked, wordsOfUnit(unit, byId.get(unit.passageId)));
  const most = (units: readonly ReadUnit[]): number => Math.max(0, ...units.map(shared));
  const inside = able.filter(({ passageId }) => subject.has(passageId));
  const share = LEAST_SHARE[part.leans ?? 'alone'];
  const own = most(inside);
  const least = share * most(able.filter(({ passageId }) => !subject.has(passageId)));
  if (inside.length === 0 || own < least || (own === 0 && share > 0)) return undefined;
  const topic = new Set(before.flatMap(({ question }) => contentStems(question)));
  const weights = new Map(
    passages.map((passage) => [passage.id, subject.has(passage.id) ? 1 : weightOf(topic, passage)]),
  );
  const weighed = reading.sentences.map((unit) => ({
    ...unit,
    score:
      unit.score *
      (weights.get(unit.passageId) ?? OTHER_SUBJECT) *
      (part.leans && own > 0 && shared(unit) >= own ? gainOf(topic, unit) : 1),
  }));
  const best = Math.max(0, ...weighed.map(({ score }) => score));
  const asksWhatHappens = part.leans !== undefined && ASKS_WHAT_HAPPENS.test(part.question);
  const sentences = weighed
    .map((unit) =>
      asksWhatHappens && isThrown(topic, subject, unit) ? { ...unit, score: best + unit.score, fits: true } : unit,
    )
    .sort((a, b) => b.score - a.score);
  return { ...reading, sentences };
}

/** Ids of the passages of earlier chains, and of those to which a hop leads on from one of them. */
function subjectPassages(before: readonly PartBefore[], chains: readonly PassageChain[]): Set<string> {
  const ids = new Set(before.flatMap(({ chain }) => chain.hops.map(({ passage }) => passage.id)));
  for (const { hops } of chains)
    for (const { passage, why } of hops) {
      const from = why.from === undefined ? undefined : hops[why.from]?.passage.id;
      if (from !== undefined && LEADS_ON.has(why.kind) && ids.has(from)) ids.add(passage.id);
    }
  return ids;
}

const wordsOfUnit = (unit: ReadUnit, passage: Passage | undefined): string[] =>
  stemsIn(unit.text, unit.context?.text, passage?.title);

const sharedWords = (asked: ReadonlySet<string>, said: readonly string[]): number =>
  [...new Set(said)].filter((stem) => asked.has(stem)).length;

const gainOf = (topic: ReadonlySet<string>, unit: ReadUnit): number =>
  1 + (OWN_SUBJECT * sharedWords(topic, wordsOfUnit(unit, undefined))) / Math.max(1, topic.size);

const isThrown = (topic: ReadonlySet<string>, subject: ReadonlySet<string>, unit: ReadUnit): boolean =>
  unit.kind === 'error' && subject.has(unit.passageId) && sharedWords(topic, wordsOfUnit(unit, undefined)) > 0;

function weightOf(topic: ReadonlySet<string>, { path, title, text }: Passage): number {
  const shared = sharedWords(topic, stemsIn(path, title, text));
  return OTHER_SUBJECT + (1 - OTHER_SUBJECT) * (shared / Math.max(1, topic.size));
}
