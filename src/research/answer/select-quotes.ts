import { type Passage, type Reading, splitSentences, type TextSpan } from '#search';
import type { ExtractiveShape } from './extractive-answer.ts';
import { isProse } from './passage-lines.ts';

/** A stretch of a passage, verbatim; offsets into the passage's text. */
export interface Quote extends TextSpan {
  passage: Passage;
  text: string;
  /** Of its best sentence. */
  score: number;
}

/** Quotes of one answer: more is reading, not answering. */
const MOST_SENTENCES = 6;
const MOST_OUTLINE_PASSAGES = 8;
/** A further sentence of a passage must reach this share of the best one's score. */
const FURTHER_SHARE = 0.6;

/**
 * The sentences to quote, in hop order and then line order: the best sentence of each passage that was read (both sides
 * of a comparison), the one that holds the span, and further good ones. Neighbouring sentences become one quote.
 */
export function selectQuotes(reading: Reading, passages: readonly Passage[], shape: ExtractiveShape): Quote[] {
  const order = new Map(passages.map((passage, i) => [passage.id, i]));
  const read = reading.sentences.filter((sentence) => order.has(sentence.passageId) && sentence.text.trim() !== '');
  const saying = read.filter((sentence) => !isHeading(sentence.text));
  const sentences = saying.length > 0 ? saying : read;
  const chosen = new Set<Sentence>();
  const most = shape === 'outline' ? MOST_OUTLINE_PASSAGES : MOST_SENTENCES;
  const choose = (candidates: readonly Sentence[]): void => {
    for (const sentence of candidates) if (chosen.size < most) chosen.add(sentence);
  };
  choose(sentenceOfSpan(reading, sentences, passages));
  choose(firstOfEachPassage(sentences));
  if (shape === 'answer') {
    const best = sentences[0]?.score ?? 0;
    choose(sentences.filter((sentence) => sentence.score > 0 && sentence.score >= best * FURTHER_SHARE));
  }
  const ordered = [...chosen].sort(
    (a, b) => (order.get(a.passageId) ?? 0) - (order.get(b.passageId) ?? 0) || a.start - b.start,
  );
  return mergeNeighbours(ordered, passages);
}

/** A heading names what follows: on its own it says nothing. */
const isHeading = (text: string): boolean => /^\s*(?:#{1,6}\s[^\n]*|[=~^"-]{3,})$/u.test(text);

type Sentence = Reading['sentences'][number];

/** The sentence that holds the answer's span, as the reader gave it or cut here. */
function sentenceOfSpan({ span }: Reading, sentences: readonly Sentence[], passages: readonly Passage[]): Sentence[] {
  const passage = passages.find((candidate) => candidate.id === span?.passageId);
  if (!span || !passage) return [];
  const holds = (stretch: TextSpan): boolean => stretch.start <= span.start && stretch.end >= span.end;
  const read = sentences.find((sentence) => sentence.passageId === passage.id && holds(sentence));
  if (read) return [read];
  const cut = splitSentences(passage.text, isProse(passage) ? 'prose' : 'code').find(holds);
  return cut
    ? [{ ...cut, passageId: passage.id, text: passage.text.slice(cut.start, cut.end), score: sentences[0]?.score ?? 1 }]
    : [];
}

function firstOfEachPassage(sentences: readonly Sentence[]): Sentence[] {
  const first = new Map<string, Sentence>();
  for (const sentence of sentences) if (!first.has(sentence.passageId)) first.set(sentence.passageId, sentence);
  return [...first.values()];
}

function mergeNeighbours(sentences: readonly Sentence[], passages: readonly Passage[]): Quote[] {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const quotes: Quote[] = [];
  for (const sentence of sentences) {
    const passage = byId.get(sentence.passageId);
    if (!passage) continue;
    const last = quotes.at(-1);
    const adjoins =
      last?.passage.id === passage.id &&
      passage.text.slice(last.end, sentence.start).trim() === '' &&
      !passage.text.slice(last.end, sentence.start).includes('\n\n');
    if (last && adjoins) {
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
      });
    }
  }
  return quotes;
}
