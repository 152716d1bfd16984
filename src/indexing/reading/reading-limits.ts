/** Sizes that decide what is read and how it is cut. Tokens are the embedding model's. */
export const readingLimits = {
  /** Longest embedded text of a passage, special tokens included. */
  passageTokens: 512,
  /** Longest text of a passage: a tokenizer may count an endless word as one token. */
  passageCharacters: 6_000,
  /** Passages below this are tiny and join a neighbour that they belong with. */
  tinyProseTokens: 80,
  tinyCodeTokens: 48,
  /** Joined neighbours grow to at most this. */
  joinedTokens: 320,
  /** A section, class or subtree with parts of its own stays whole up to this. */
  wholeTokens: 260,
  /** Longest title, in characters. */
  titleCharacters: 160,
  /** Most links of kind `call` and of kind `path` in one passage. */
  callsPerPassage: 60,
  pathsPerPassage: 30,
  /** PDF and DOCX may be this many times larger than text: most of their bytes are pictures and fonts. */
  documentSizeFactor: 10,
  /** One file's parser may take this long, in milliseconds, before text blocks take its place. */
  parseMilliseconds: 5_000,
  /** … and so much longer when it gets little of a busy machine: what has worked for less than `parseMilliseconds` is not ended before. */
  parseMillisecondsWhenBusy: 20_000,
  /** The disk may take this long for one file, in milliseconds; then it is left out until the next update. */
  diskMilliseconds: 60_000,
  /**
   * Bytes of memory that the reading process may take altogether. A process that has just started takes 90 MB, one that has read every language 250 MB,
   * and the parsers of a file of 5 MB up to 350 MB.
   */
  readingProcessBytes: 700 * 2 ** 20,
  /** What the JavaScript in it may take, in MB: near the above, so that it is mostly that limit which is met, and not a crash. */
  readingHeapMegabytes: 640,
  /** A reading process that keeps more than this between two files makes room for a fresh one. */
  readingProcessKeepsBytes: 400 * 2 ** 20,
  /** A reading process without work ends after so many milliseconds. */
  readingIdleMilliseconds: 60_000,
  /** Ignore files and git's own settings are not read when they are larger. */
  rulesBytes: 4 * 2 ** 20,
} as const;
