import { expression } from '#base';
import {
  beginsEntry,
  contentStems,
  headingInLine,
  isProsePassage,
  type Hop,
  lastTitle,
  type Passage,
  type Reading,
  type TextSpan,
} from '#search';
import { withFolders } from './passage-lines.ts';
import { type ExtractiveShape, type Quote, stemsIn } from './quote.ts';

/** Quotes of one answer: more is reading, not answering. */
const MOST_SENTENCES = 6;
/** Passages that an outline is made of, by a language model or without. */
export const OUTLINE_PASSAGES = 8;
export const MOST_OF_A_LIST = 12;
/** Of a list with fewer than so many good ones, the best of each passage is shown, too. */
const FEW = 3;
/** So much of the best unit's score another must have to lead beside it. */
const LEADING_SHARE = 0.3;
/** A unit with this share of the best one's score is about as good. */
const GOOD_SHARE = 0.6;
/** The best unit of a passage has to have this share: it shows how the trail goes on. */
const OWN_SHARE = 0.2;
/** So likely any other has to answer. */
const LIKELY = 0.15;

/**
 * The units to quote, in hop order and then line order: the best of each passage that was read (both sides of a
 * comparison) as far as it is likely to answer, the one that holds the span, those that lead along the trail to what
 * leads, and the likeliest of all. Neighbouring sentences become one quote.
 * @param leading So many of the best stand apart, each of another passage.
 * @param hops Of the trail.
 */
export function selectQuotes(
  reading: Reading,
  passages: readonly Passage[],
  shape: ExtractiveShape,
  leading = 0,
  hops: readonly Hop[] = [],
): Quote[] {
  const order = new Map(passages.map((passage, i) => [passage.id, i]));
  const sentences = sayingSomething(reading, passages);
  const first = firstOfEachPassage(sentences);
  const able = firstOfEachPassage(sentences.filter(({ fits }) => fits !== false));
  const enough = LEADING_SHARE * (able[0]?.score ?? 0);
  const leads = new Set((able.length > 0 ? able : first).slice(0, leading).filter(({ score }) => score >= enough));
  const chosen = new Map<string, Sentence>();
  const most = { answer: MOST_SENTENCES, sides: MOST_SENTENCES, list: MOST_OF_A_LIST, outline: OUTLINE_PASSAGES }[
    shape
  ];
  const said = new Set<string>();
  const aboveLeads = new Set([...leads].map(({ passageId, context }) => `${passageId} ${context?.end}`));
  const choose = (candidates: readonly Sentence[]): void => {
    for (const sentence of candidates) {
      const words = wordsSaid(sentence, passages);
      if (chosen.size >= most || chosen.has(placeOf(sentence)) || said.has(words)) continue;
      // What stands above a line that leads is shown with it.
      if (aboveLeads.has(`${sentence.passageId} ${sentence.end}`)) continue;
      said.add(words);
      chosen.set(placeOf(sentence), sentence);
    }
  };
  choose([...leads]);
  // The list that is asked for, and what announces with what it announces, stand together, and first.
  const together = new Set<Sentence>(sentences.filter(({ listed }) => listed));
  for (const lead of leads) {
    const announced = announcedBy(lead, sentences, passages);
    for (const unit of announced) chosen.set(placeOf(unit), unit);
    for (const unit of announced.length > 0 ? [lead, ...announced] : []) together.add(unit);
  }
  for (const lead of leads) choose(onTheWay(lead, hops, sentences));
  const best = sentences[0]?.score ?? 0;
  const good = sentences.filter(({ score }) => score > 0 && score >= best * GOOD_SHARE);
  if (shape !== 'outline') choose(good);
  if (shape === 'outline' || (shape === 'list' && chosen.size < FEW)) choose(first);
  if (shape === 'answer' || shape === 'sides') {
    choose(first.filter(({ score }) => score >= best * OWN_SHARE));
    choose(sentences.filter(({ score }) => score >= LIKELY));
  }
  const ordered = [...chosen.values()].sort(
    (a, b) =>
      Number(together.has(b)) - Number(together.has(a)) ||
      (order.get(a.passageId) ?? 0) - (order.get(b.passageId) ?? 0) ||
      a.start - b.start,
  );
  const whole = wholeDefinitions(ordered, passages, leads);
  const shown = withWhatTheyAreOf(whole.units, sentences, passages, whole.leads);
  return withFolders(toldApart(mergeNeighbours(shown.units, passages, shown.leads)));
}

/** `They come in notes of £5`, `This takes a year`: what it is about stands before. Not `This page`, `These rules`. */
const POINTS_BACK = expression('iu')`
  ^(?:it|they|he|she|
    (?:this|that|these|those)
      (?= (?:is|are|was|were|has|have|had|will|would|should|can|could|may|might|must|does|do|did)\b)|
    (?:this|that)(?= \p{Ll}{2,20}s\b(?<!(?:s|u|i)s)))(?:['’]\p{Ll}{1,2})?[ ]
`;
/** `It is best to …` points at nothing. */
const POINTS_NOWHERE = /^it(?:['’]s| (?:is|was|will be|can be|may be)) (?:[\p{L}*-]{1,20} ){0,3}(?:that|to|if)\b/iu;
/** Characters of a sentence that may be shown before one that leads. */
const MOST_BEFORE = 300;

/** Sentences that lead and say what they are about only by a pronoun, with the sentence before them. */
function withWhatTheyAreOf(
  chosen: readonly Sentence[],
  sentences: readonly Sentence[],
  passages: readonly Passage[],
  leads: ReadonlySet<Sentence>,
): Shown {
  const whole = new Map<Sentence, Sentence>();
  const gone = new Set<Sentence>();
  for (const lead of leads) {
    const passage = passages.find(({ id }) => id === lead.passageId);
    if (!passage || !POINTS_BACK.test(lead.text) || POINTS_NOWHERE.test(lead.text)) continue;
    const [last] = sentences
      .filter(({ passageId, end }) => passageId === lead.passageId && end <= lead.start)
      .sort((a, b) => b.end - a.end);
    if (!last || leads.has(last) || last.text.length > MOST_BEFORE || !goesOn({ ...last, passage }, lead)) continue;
    gone.add(last);
    whole.set(lead, { ...lead, start: last.start, text: passage.text.slice(last.start, lead.end) });
  }
  return inPlace(chosen, leads, whole, gone);
}

/** The units in which each passage of the trail names the next one, up to the passage of what leads. */
function onTheWay(lead: Sentence, hops: readonly Hop[], sentences: readonly Sentence[]): Sentence[] {
  const units: Sentence[] = [];
  let at = hops.findIndex(({ passage }) => passage.id === lead.passageId);
  while (at > 0) {
    const { from = -1, fromSpan } = hops[at]?.why ?? {};
    const named = hops[from]?.passage.id;
    const unit = sentences.find(
      ({ passageId, start, end }) => passageId === named && fromSpan && start <= fromSpan.start && end >= fromSpan.end,
    );
    if (unit) units.unshift(unit);
    at = from < at ? from : -1;
  }
  return units;
}

/** Lines of an example that are shown with the paragraph that announces it. */
const MOST_ANNOUNCED = 3;
/** From a sentence to the end of its paragraph, which announces what follows, and the fence or directives of that. */
const ANNOUNCES =
  /^(?:[^\n]|\n(?![ \t]{0,40}\n)){0,400}?:{1,2}[ \t]{0,9}\n\s{0,40}(?:(?:```|~~~|\.\. [\w:-]{1,40}::)[^\n]{0,80}\n\s{0,40}){0,3}$/u;

/** What a line that leads announces: the entries of its list, or the example right below its paragraph. */
function announcedBy(lead: Sentence, sentences: readonly Sentence[], passages: readonly Passage[]): Sentence[] {
  const passage = passages.find(({ id }) => id === lead.passageId);
  if (!passage || !isProsePassage(passage) || lead.kind === 'statement') return [];
  const behind = sentences
    .filter((unit) => unit.passageId === lead.passageId && unit.start >= lead.end)
    .sort((a, b) => a.start - b.start);
  const entries = entriesBelow(lead, behind);
  if (entries.length > 0) return entries.slice(0, MOST_OF_A_LIST);
  const below = behind.filter(({ kind }) => kind === 'statement');
  const [first] = below;
  // The colon may be the last sign of the line itself.
  if (!first || !ANNOUNCES.test(passage.text.slice(lead.end - 2, first.start))) return [];
  return below
    .filter((unit, i) => i === 0 || passage.text.slice(below[i - 1]?.end, unit.start).trim() === '')
    .slice(0, MOST_ANNOUNCED);
}

/** Entries of the list that a line announces, those within them included; what stands right above is not said again. */
function entriesBelow(lead: Sentence, behind: readonly Sentence[]): Sentence[] {
  const said = behind.find(({ kind, context }) => kind === 'item' && context?.end === lead.end)?.context?.text;
  if (said === undefined) return [];
  return behind.flatMap(({ context, ...entry }) => {
    if (entry.kind !== 'item' || !context?.text.startsWith(said)) return [];
    const within = context.text.slice(said.length).replace(/^ › /u, '');
    return [within === '' ? entry : { ...entry, context: { ...context, text: within } }];
  });
}

/**
 * What a unit says: the comment that is copied from parameter to parameter, the entry of a list of settings that stands
 * in several lists, or the paragraph that stands on several pages under one heading, is shown once. Other lines of code
 * are alike and yet different places.
 */
function wordsSaid(unit: Sentence, passages: readonly Passage[]): string {
  const passage = passages.find(({ id }) => id === unit.passageId);
  const isCopied = unit.kind === 'comment' || (passage?.kind === 'data' && /^\s*- /u.test(unit.text));
  if (!passage || !(isCopied || isProsePassage(passage))) return placeOf(unit);
  const words = unit.text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return isCopied ? words : [words, unit.context?.text ?? '', lastTitle(passage.title)].join('\n');
}

const placeOf = ({ passageId, start }: Sentence): string => `${passageId} ${start}`;

/**
 * The heads of short definitions with their bodies, in place of what is chosen of these. Where a line of a body leads,
 * that is shown below its head, which then needs no quote of its own.
 */
function wholeDefinitions(
  chosen: readonly Sentence[],
  passages: readonly Passage[],
  leads: ReadonlySet<Sentence>,
): Shown {
  const gone = new Set<Sentence>();
  const wholes = new Map<Sentence, Sentence>();
  for (const head of chosen) {
    const passage = head.kind === 'signature' ? passages.find(({ id }) => id === head.passageId) : undefined;
    const whole = passage && shortDefinition(passage, head);
    if (!whole) continue;
    const body = chosen.filter(
      (unit) => unit.passageId === head.passageId && unit.start >= head.end && unit.end <= whole.end,
    );
    if (body.some((unit) => leads.has(unit))) gone.add(head);
    else {
      for (const unit of body) gone.add(unit);
      wholes.set(head, { ...head, ...whole, text: passage.text.slice(whole.start, whole.end) });
    }
  }
  return inPlace(chosen, leads, wholes, gone);
}

interface Shown {
  units: Sentence[];
  leads: ReadonlySet<Sentence>;
}

/** What is chosen and what leads, with wholes in place of their parts, and without what a whole says, too. */
function inPlace(
  chosen: readonly Sentence[],
  leads: ReadonlySet<Sentence>,
  wholes: ReadonlyMap<Sentence, Sentence>,
  gone: ReadonlySet<Sentence>,
): Shown {
  const shown = (unit: Sentence): Sentence => wholes.get(unit) ?? unit;
  return { units: chosen.filter((unit) => !gone.has(unit)).map(shown), leads: new Set([...leads].map(shown)) };
}

/**
 * Sentences that stand alike in several places (`The company pays all of it.`), and the entries of a list that nothing
 * but a heading announces (`Not OK`), say under which heading they stand.
 */
function toldApart(quotes: readonly Quote[]): Quote[] {
  const isLike = (quote: Quote, other: Quote): boolean =>
    quote !== other && quote.text.trim() === other.text.trim() && quote.passage.title !== other.passage.title;
  return quotes.map((quote) => {
    if (quote.context || !isProsePassage(quote.passage)) return quote;
    const heading = lastTitle(quote.passage.title);
    const above = announcingHeading(quote) ?? (quotes.some((other) => isLike(quote, other)) ? heading : '');
    return above === '' ? quote : { ...quote, context: { text: above } };
  });
}

const HEADING_LINE = /^#{1,6}[ \t]/u;
const LIST_LINE = /^\s*(?:[-*+]|\d{1,9}[.)])\s/u;

/** The heading right above the list that a unit stands in; undefined in no list, and where a sentence is between. */
function announcingHeading({ kind, passage, start, text }: Quote): string | undefined {
  if (kind !== 'item') return undefined;
  const lines = passage.text.slice(0, start).split('\n');
  const own = passage.text.slice(passage.text.lastIndexOf('\n', start - 1) + 1, start);
  if (!LIST_LINE.test(own + text)) return undefined;
  let at = lines.length - 1;
  while (at >= 0 && !HEADING_LINE.test(lines[at] ?? '')) at -= 1;
  const isInList = (line: string, i: number, all: readonly string[]): boolean =>
    line.trim() === '' || LIST_LINE.test(line) || /^\s/u.test(line) || i === all.length - 1;
  if (!lines.slice(at + 1).every(isInList)) return undefined;
  return at < 0 ? lastTitle(passage.title) : headingInLine(lines[at] ?? '');
}

/**
 * The best of them is the line that comes nearest to answering; undefined when there is none that says something. Data
 * and blocks of no known format without a word of the question are near to nothing that a person could see.
 */
export function bestUnit(question: string, reading: Reading, passages: readonly Passage[]): Quote | undefined {
  const asked = new Set(contentStems(question));
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const best = sayingSomething(reading, passages).find(({ passageId, text, context }) => {
    const passage = byId.get(passageId);
    if (passage?.kind !== 'data' && passage?.kind !== 'block') return true;
    return stemsIn(text, context?.text, passage.title, passage.path).some((stem) => asked.has(stem));
  });
  return best && toldApart(mergeNeighbours([best], passages, new Set([best])))[0];
}

/** Units of these passages, best first; headings only where there is nothing else. */
function sayingSomething(reading: Reading, passages: readonly Passage[]): Sentence[] {
  const ids = new Set(passages.map((passage) => passage.id));
  const read = reading.sentences.filter((sentence) => ids.has(sentence.passageId) && sentence.text.trim() !== '');
  const prose = new Set(passages.filter(isProsePassage).map(({ id }) => id));
  const saying = read.filter(({ passageId, text }) => !prose.has(passageId) || !isHeading(text));
  return saying.length > 0 ? saying : read;
}

/** A heading names what follows: on its own it says nothing. */
const isHeading = (text: string): boolean => /^\s*(?:#{1,6}\s[^\n]*|[=~^"-]{3,})$/u.test(text);

type Sentence = Reading['sentences'][number];

function firstOfEachPassage(sentences: readonly Sentence[]): Sentence[] {
  const first = new Map<string, Sentence>();
  for (const sentence of sentences) if (!first.has(sentence.passageId)) first.set(sentence.passageId, sentence);
  return [...first.values()];
}

function mergeNeighbours(
  sentences: readonly Sentence[],
  passages: readonly Passage[],
  leads: ReadonlySet<Sentence>,
): Quote[] {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const quotes: Quote[] = [];
  for (const sentence of sentences) {
    const passage = byId.get(sentence.passageId);
    if (!passage) continue;
    const last = quotes.at(-1);
    if (last && !last.leads && !leads.has(sentence) && goesOn(last, sentence)) {
      last.end = Math.max(last.end, sentence.end);
      last.text = passage.text.slice(last.start, last.end);
      last.score = Math.max(last.score, sentence.score);
    } else {
      quotes.push({
        passage,
        start: sentence.start,
        end: sentence.end,
        text: passage.text.slice(sentence.start, sentence.end),
        score: sentence.score,
        ...(sentence.kind !== undefined && { kind: sentence.kind }),
        ...(sentence.context && { context: sentence.context }),
        ...(leads.has(sentence) && { leads: true }),
      });
    }
  }
  return quotes;
}

/**
 * Nothing stands between them, they are alike, and the second is no item of a list and no entry of a comment: that
 * stays one of its own.
 */
function goesOn(last: Pick<Quote, 'passage' | 'end' | 'kind' | 'context'>, next: Sentence): boolean {
  if (last.passage.id !== next.passageId || last.kind !== next.kind) return false;
  if (last.context?.text !== next.context?.text) return false;
  if (next.kind === 'item' || next.kind === 'field') return false;
  const between = last.passage.text.slice(last.end, next.start);
  if (between.trim() !== '' || between.includes('\n\n')) return false;
  if (next.kind === 'comment' && between.includes('\n') && beginsEntry(next.text)) return false;
  return !(
    isProsePassage(last.passage) &&
    between.includes('\n') &&
    LIST_LINE.test(last.passage.text.slice(next.start))
  );
}

/** A definition up to so many lines is quoted whole: its first line alone says what it is called, and no more. */
const MOST_LINES = 8;

/**
 * From the first line of a short definition to its end, by how its lines are indented; undefined where it is longer, or
 * goes on behind the passage.
 * @param head What a definition says of itself before its body.
 */
export function shortDefinition({ text }: Passage, head: TextSpan): TextSpan | undefined {
  const lineStart = text.lastIndexOf('\n', head.start - 1) + 1;
  const indent = text.slice(lineStart, head.start);
  if (indent.trim() !== '') return undefined;
  const headLines = text.slice(head.start, head.end).split('\n').length;
  const behind = text.slice(head.end).split('\n');
  if ((behind[0] ?? '').trim() !== '') return undefined;
  let end = head.end + (behind[0] ?? '').length;
  let last = head.end;
  for (const [i, line] of behind.slice(1).entries()) {
    end += 1 + line.length;
    if (line.trim() === '') continue;
    const isInside = line.startsWith(indent) && /^\s/u.test(line.slice(indent.length));
    const isClosing = line.startsWith(indent) && CLOSES.test(line.slice(indent.length));
    if (!isInside && !isClosing) break;
    if (headLines + i + 1 > MOST_LINES) return undefined;
    last = end;
    if (isClosing) break;
  }
  return last > head.end ? { start: head.start, end: last } : undefined;
}

/** The line that ends a body. */
const CLOSES = /^(?:[}\])]|end\b)/u;
