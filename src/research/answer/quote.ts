import type { Passage, TextSpan } from '#search';

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
}

/**
 * `outline`: a question over everything; several passages are shown by their names, and the bar for answering is lower.
 * `sides`: a comparison, or what asks yes or no: what is to be weighed stands side by side. `list`: several are asked
 * for, and no single one stands for them.
 */
export type ExtractiveShape = 'answer' | 'sides' | 'list' | 'outline';
