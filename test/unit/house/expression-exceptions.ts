/**
 * Regular expressions whose time may grow faster than the text, each with the bound that keeps it harmless: code cuts
 * what it sees to `longest` characters before it is asked.
 */
export const exceptions: { file: string; begins: string; longest: number; boundedBy: string }[] = [
  {
    file: 'src/search/reading/read-file.ts',
    begins: String.raw`/^\W{0,8}\s*(?:.*@generated`,
    longest: 500,
    boundedBy: 'generatedBecause asks it only of lines under 500 characters',
  },
  {
    file: 'src/research/check/terms.ts',
    begins: String.raw`/(?:^|[.!?:;|`,
    longest: 20,
    boundedBy: 'namesIn asks it only of the 20 characters before a name',
  },
];

/**
 * Expressions that are put together of parts while the program runs, by file: samples that stand for all that come of
 * them.
 */
export const putTogether: Record<string, RegExp[]> = {
  // An answer, every character of it taken literally.
  'src/learning/experience/decomposition-examples.ts': [/(?<![\p{L}\p{N}#])Bergen \(old\)(?![\p{L}\p{N}])/giu],
  // The special tokens of a tokenizer, every character of them taken literally.
  'src/search/embedding/token-counter.ts': [/\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\]/g],
  // A number or an id of a question, every character of it taken literally.
  'src/search/retrieval/exact-words.ts': [
    /(?<![\p{L}\p{M}\p{N}]|\p{N}\.|\p{N},(?=\p{N}{3}(?!\p{N})))v1\.2(?![\p{L}\p{M}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N}))/iu,
  ],
  // Words of a question, every character of them taken literally.
  'webview/views/trail.ts': [/(?<![\w$])(a\.b|c\+\+|mast power)(?![\w$]|\.\w)/gi],
};
