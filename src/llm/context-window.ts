import type { Passage } from '../model/passage.ts';
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts';
import type { ChatMessage, LanguageModel } from './language-model.ts';
import { sentenceEnds } from './sentence-ends.ts';

/** A passage that would like to be in the prompt; larger relevance goes first, on any scale. */
export interface RelevantPassage {
  passage: Passage;
  relevance: number;
}

/** A passage as it goes into the prompt: whole, or its first sentences. */
export interface FittedPassage {
  passage: Passage;
  text: string;
  cut: boolean;
}

export interface ContextFit {
  /** In the order they were given. */
  passages: FittedPassage[];
  /** Left out entirely, in the order they were given. */
  dropped: Passage[];
  /** Tokens taken, by the count that was used. */
  tokens: number;
  /** What was cut, in one sentence for people; undefined when everything fitted. */
  notice?: string;
}

export interface FitOptions {
  /** Room in tokens. */
  tokens: number;
  /** What the prompt writes around each passage: number, path, delimiters. */
  perPassage?: number;
  count?: (text: string) => number;
}

/** A cut passage shorter than this says too little to be worth its place. */
const LEAST_TOKENS = 24;
/** Estimates err: this share of a window stays free. */
const RESERVE = 0.05;

/** Tokens left for passages beside these messages and a reply of `replyTokens`; 0 when there are none. */
export function contextRoom(model: Pick<LanguageModel, 'contextTokens'>, messages: readonly ChatMessage[], replyTokens: number): number {
  return Math.max(0, Math.floor(model.contextTokens * (1 - RESERVE)) - estimatePromptTokens(messages) - replyTokens);
}

/** Fits passages into a context window: the most relevant whole, the first that does not fit up to a sentence end, the rest left out. */
export function fitPassages(candidates: readonly RelevantPassage[], options: FitOptions): ContextFit {
  const { perPassage = 12, count = estimateTokens } = options;
  const fitted = new Map<Passage, FittedPassage>();
  let left = options.tokens;
  const byRelevance = candidates.map((candidate, order) => ({ ...candidate, order })).sort((a, b) => b.relevance - a.relevance || a.order - b.order);
  for (const { passage } of byRelevance) {
    const room = left - perPassage;
    const tokens = count(passage.text);
    const text = tokens <= room ? passage.text : firstSentences(passage, room, count);
    if (text === undefined) continue;
    fitted.set(passage, { passage, text, cut: text !== passage.text });
    left -= count(text) + perPassage;
  }
  const passages = candidates.flatMap(({ passage }) => fitted.get(passage) ?? []);
  const dropped = candidates.map(({ passage }) => passage).filter((passage) => !fitted.has(passage));
  return { passages, dropped, tokens: options.tokens - left, notice: noticeOf(passages, dropped) };
}

/** As many whole sentences from the beginning as fit; undefined when too little would be left. */
function firstSentences(passage: Passage, room: number, count: (text: string) => number): string | undefined {
  if (room < LEAST_TOKENS) return undefined;
  const ends = sentenceEnds(passage.text, passage.kind);
  let low = 0; // ends before `low` are known to fit
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (count(passage.text.slice(0, ends[middle])) <= room) low = middle + 1;
    else high = middle;
  }
  const text = low === 0 ? '' : passage.text.slice(0, ends[low - 1]);
  return count(text) >= LEAST_TOKENS ? text : undefined;
}

function noticeOf(passages: readonly FittedPassage[], dropped: readonly Passage[]): string | undefined {
  const cut = passages.filter((one) => one.cut);
  if (cut.length === 0 && dropped.length === 0) return undefined;
  const parts = [
    ...(cut.length > 0 ? [`shortened ${cut.map((one) => one.passage.path).join(', ')}`] : []),
    ...(dropped.length > 0 ? [`left out ${dropped.length} of ${passages.length + dropped.length} passages`] : []),
  ];
  return `To fit the model's context window, Hoptrail ${parts.join(' and ')}.`;
}
