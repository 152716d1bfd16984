import type { PassageCut } from '../domain/run-notices.ts';
import { expression } from '#base';
import type { ChatMessage, LanguageModel } from './language-model.ts';
import type { Passage, PassageKind } from '#search';

/**
 * Runs that sub-word tokenizers treat alike: scripts without spaces or with signs around their letters, words, other
 * letters, digits, line breaks with their indentation, other spaces (free: they join the next word), anything else.
 */
const RUN = expression('gu')`
  ([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}
    \p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]+)|
  ([A-Za-z]+)|([\p{L}\p{M}]+)|(\d+)|(\s*\n\s*)|([^\S\n]+)|([^\s\p{L}\p{M}\d]+)
`;

/** Tokens that a chat format adds around each message. */
const PER_MESSAGE = 4;

/**
 * Tokens of a text, estimated without a tokenizer: a little high rather than low, since the number guards a context
 * window. Calibrated on English prose, Markdown, TypeScript, Python, JSON and CSV against the tokenizers of Qwen 2.5
 * and of GPT-4o. Numbers found this way are marked `estimated` wherever they are shown.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run, dense, ascii, letters, digits, breaks, , signs] of text.matchAll(RUN)) {
    if (dense) tokens += run.length;
    else if (ascii) tokens += wordTokens(run);
    else if (letters) tokens += run.length / 2;
    else if (digits)
      tokens += run.length * 0.75; // one each for some, one in three for others
    else if (breaks) tokens += 1;
    else if (signs) tokens += run.length / 1.4;
  }
  return Math.ceil(tokens);
}

/** Common words are one token; names (told by their capital) and long words more. */
function wordTokens(word: string): number {
  const name = /^[A-Z]/.test(word) ? 0.3 : 0;
  return word.length <= 7 ? 1 + name : Math.ceil(word.length / 5) * 0.9 + name;
}

/** Tokens of a whole prompt, with what the chat format adds. */
export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content, toolCalls = [] }) => {
    const called = toolCalls.map((call) => `${call.name} ${call.arguments}`).join('\n');
    return sum + estimateTokens(content) + (called === '' ? 0 : estimateTokens(called)) + PER_MESSAGE;
  }, 0);
}

/** Kinds whose unit is the line: half a line of code or of a table says something else than the whole. */
const BY_LINE: ReadonlySet<PassageKind> = new Set<PassageKind>([
  'function',
  'class',
  'outline',
  'code',
  'front-matter',
  'table',
  'data',
  'cell',
  'block',
]);
const ABBREVIATION = /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|e\.g|i\.e|cf|al|Fig|Eq|ca|approx|[A-Z])\.$/;
const TERMINATED = /[.!?…。！？][\])"'”’»*_`]*$/;
/** After a quoted question or an unknown abbreviation. */
const GOES_ON = /^\s*[a-z]/;
/** What begins a new block of Markdown: a sentence ends before it whatever it ended with. */
const NEW_BLOCK = /^\s*(?:\n|[-*+] |\d+[.)] |#{1,6} |>|\||```|$)/;

/**
 * Offsets (exclusive, ascending, the last is the text's length) after which a passage may be cut: sentence ends in
 * prose, line ends in code.
 */
export function sentenceEnds(text: string, kind: PassageKind): number[] {
  const ends = BY_LINE.has(kind) ? lineEnds(text) : proseEnds(text);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

function lineEnds(text: string): number[] {
  return [...text.matchAll(/\n/g)].map((match) => match.index);
}

function proseEnds(text: string): number[] {
  const ends: number[] = [];
  // The segmenter also ends a "sentence" at each line break: only those are kept where one really ends.
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const said = segment.trimEnd();
    const end = index + segment.length;
    const blockEnds = segment.includes('\n') && NEW_BLOCK.test(text.slice(end, end + 80));
    if (
      said !== '' &&
      (blockEnds || (TERMINATED.test(said) && !ABBREVIATION.test(said) && !GOES_ON.test(text.slice(end, end + 8))))
    )
      ends.push(index + said.length);
  }
  return ends;
}

/** A passage that would like to be in the prompt; larger relevance goes first, on any scale. */
interface RelevantPassage {
  passage: Passage;
  relevance: number;
  /** On the trail: cut only when nothing else is left to cut. */
  hop?: boolean;
}

/** A passage as it goes into the prompt: whole, or its first sentences. */
interface FittedPassage {
  passage: Passage;
  text: string;
  cut: boolean;
}

interface ContextFit {
  /** In the order they were given. */
  passages: FittedPassage[];
  /** Left out entirely, in the order they were given. */
  dropped: Passage[];
  /** What was cut; undefined when everything fitted. */
  cut?: PassageCut;
}

interface FitOptions {
  /** Room in tokens. */
  tokens: number;
  /** What the prompt writes around each passage: number, path, delimiters. */
  perPassage?: number;
}

/** A cut passage shorter than this says too little to be worth its place. */
const LEAST_TOKENS = 24;
/** Estimates err: this share of a window stays free. */
const RESERVE = 0.05;

/** Tokens left for passages beside these messages and a reply of `replyTokens`; 0 when there are none. */
export function contextRoom(
  model: Pick<LanguageModel, 'contextTokens' | 'thoughtTokens'>,
  messages: readonly ChatMessage[],
  replyTokens: number,
): number {
  const reply = replyTokens + (model.thoughtTokens ?? 0);
  return Math.max(0, Math.floor(model.contextTokens * (1 - RESERVE)) - estimatePromptTokens(messages) - reply);
}

/**
 * Fits passages into a context window: hops of the trail first, whole as long as they fit together, else cut to equal
 * shares. Then, where all of them are whole, the others, the most relevant first: each whole where it fits into what
 * is left, else up to a sentence end, else not at all, as one that comes after it may still fit.
 */
export function fitPassages(candidates: readonly RelevantPassage[], options: FitOptions): ContextFit {
  const { perPassage = 12 } = options;
  const fitted = new Map<Passage, FittedPassage>();
  let left = options.tokens;
  const fit = (passage: Passage, room: number): boolean => {
    const whole = estimateTokens(passage.text) + perPassage <= room;
    const text = whole ? passage.text : firstSentences(passage, room - perPassage);
    if (text === undefined) return false;
    fitted.set(passage, { passage, text, cut: !whole });
    left -= estimateTokens(text) + perPassage;
    return whole;
  };
  const hops = candidates.filter(({ hop }) => hop === true).map(({ passage }) => passage);
  const shares = fairShares(
    hops.map((passage) => estimateTokens(passage.text) + perPassage),
    options.tokens,
  );
  const allWhole = hops.map((passage, i) => fit(passage, shares[i] ?? 0)).every(Boolean);
  const others = candidates
    .map((candidate, order) => ({ ...candidate, order }))
    .filter(({ hop }) => hop !== true)
    .sort((a, b) => b.relevance - a.relevance || a.order - b.order);
  if (allWhole) for (const { passage } of others) fit(passage, left);
  const passages = candidates.flatMap(({ passage }) => fitted.get(passage) ?? []);
  const dropped = candidates.map(({ passage }) => passage).filter((passage) => !fitted.has(passage));
  return {
    passages,
    dropped,
    cut: cutOf(passages, dropped, new Set(hops)),
  };
}

/** What each gets of a room that may be too small for all: those who need little get it, the others share the rest. */
function fairShares(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  let left = room;
  const ascending = needs.map((need, i) => ({ need, i })).sort((a, b) => a.need - b.need);
  ascending.forEach(({ need, i }, done) => {
    const share = Math.min(need, Math.floor(left / (ascending.length - done)));
    shares[i] = share;
    left -= share;
  });
  return shares;
}

/** As many whole sentences from the beginning as fit; undefined when too little would be left. */
function firstSentences(passage: Passage, room: number): string | undefined {
  if (room < LEAST_TOKENS) return undefined;
  const ends = sentenceEnds(passage.text, passage.kind);
  let low = 0; // ends before `low` are known to fit
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (estimateTokens(passage.text.slice(0, ends[middle])) <= room) low = middle + 1;
    else high = middle;
  }
  const text = low === 0 ? '' : passage.text.slice(0, ends[low - 1]);
  return estimateTokens(text) >= LEAST_TOKENS ? text : undefined;
}

function cutOf(
  passages: readonly FittedPassage[],
  dropped: readonly Passage[],
  hops: ReadonlySet<Passage>,
): PassageCut | undefined {
  const shortened = passages.flatMap(({ cut, passage }) => (cut ? [passage.path] : []));
  if (shortened.length === 0 && dropped.length === 0) return undefined;
  return {
    shortened,
    left: dropped.length,
    of: passages.length + dropped.length,
    ...(hops.size > 0 && { onTrail: dropped.filter((passage) => hops.has(passage)).length }),
  };
}
