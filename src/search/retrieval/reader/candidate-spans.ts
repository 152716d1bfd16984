import { expression } from '#base';
import { nameForm, readNames } from '../../text/names.ts';
import { withoutTrailing } from '../../text/trim.ts';
import type { ReadSentence } from './read-units.ts';

type SpanKind = 'date' | 'number' | 'phrase' | 'quote' | 'noun';

/** A span that might be the answer; offsets into its passage's text. */
export interface CandidateSpan {
  sentence: ReadSentence;
  start: number;
  end: number;
  text: string;
  key: string;
  kind: SpanKind;
}

const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const DATE = expression('g')`
  (?:\d{1,2}(?:st|nd|rd|th)?\s+${MONTH}(?:,?\s+\d{3,4})?|
    ${MONTH}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|
    ${MONTH}\s+\d{4}|(?<![\d.,])(?:1[0-9]|20)\d{2}(?![\d,]))
`;
const NUMBER = expression('gu')`
  (?<![\p{L}\p{N}.,])(?:[$€£]\s?)?
  \p{N}[\p{N}.,]*(?:\s?(?:%|percent|million|billion|thousand|km|miles|metres|meters|feet|inches|years|acres|people|
      episodes|seasons))?
`;
const NOUN = /\b(?:an?|the|as|was|is|called)\s+((?:[\p{Ll}-]+\s+){0,3}[\p{Ll}-]{3,})/gu;

/** Spans of a sentence that could answer: dates, numbers, names, quotations, short noun phrases. */
export function candidateSpans(sentence: ReadSentence): CandidateSpan[] {
  const { text } = sentence;
  const offset = sentence.sentence.start;
  const spans: CandidateSpan[] = [];
  const add = (kind: SpanKind, start: number, raw: string): void => {
    const trimmed = withoutTrailing(raw, /[\s.,;:]/);
    const key = nameForm(trimmed);
    if (
      key !== '' &&
      !spans.some((span) => span.start === offset + start && span.end === offset + start + trimmed.length)
    ) {
      spans.push({ sentence, kind, key, text: trimmed, start: offset + start, end: offset + start + trimmed.length });
    }
  };
  for (const match of text.matchAll(DATE)) add('date', match.index, match[0]);
  const inDate = (at: number): boolean =>
    spans.some((span) => span.kind === 'date' && at >= span.start - offset && at < span.end - offset);
  for (const match of text.matchAll(NUMBER)) if (!inDate(match.index)) add('number', match.index, match[0]);
  for (const name of readNames(text)) {
    if ((name.kind === 'phrase' || name.kind === 'compound' || name.kind === 'quote') && !inDate(name.start))
      add(name.kind === 'quote' ? 'quote' : 'phrase', name.start, name.text);
  }
  for (const match of text.matchAll(NOUN))
    add('noun', match.index + match[0].length - (match[1] ?? '').length, match[1] ?? '');
  return spans;
}
