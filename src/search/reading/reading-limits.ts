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
  /**
   * The same on a busy machine, which gives it little time: what has worked for less than `parseMilliseconds` is not
   * ended before.
   */
  parseMillisecondsWhenBusy: 20_000,
  /** The disk may take this long for one file, in milliseconds; then it is left out until the next update. */
  diskMilliseconds: 60_000,
  /**
   * Bytes of memory that the reading process may take altogether. A process that has just started takes 90 MB, one that
   * has read every language 250 MB, and the parsers of a file of 5 MB up to 350 MB.
   */
  readingProcessBytes: 700 * 2 ** 20,
  /**
   * What the JavaScript in it may take, in MB: near the above, so that it is mostly that limit which is met, and not a
   * crash.
   */
  readingHeapMegabytes: 640,
  /**
   * A reading process that keeps more than this between two files makes room for a fresh one: a large file takes up to
   * 380 MB more, and a project of a thousand files alone leaves 290 MB behind.
   */
  readingProcessKeepsBytes: 340 * 2 ** 20,
  /** A reading process without work ends after so many milliseconds. */
  readingIdleMilliseconds: 60_000,
  /** Ignore files and git's own settings are not read when they are larger. */
  rulesBytes: 4 * 2 ** 20,
  /** Nor is git's index: at about 100 bytes a file, this is one of 600,000. */
  gitIndexBytes: 64 * 2 ** 20,
  /**
   * What the grammars' runtime may take for its parsers and trees; a text for which that is too little is read as text
   * blocks.
   */
  grammarBytes: 320 * 2 ** 20,
  /** Above this the runtime is given up after a text: its memory never shrinks. */
  keptGrammarBytes: 96 * 2 ** 20,
  /** The grammars' own parser gives up earlier, in milliseconds, so that the process need not be ended. */
  grammarMilliseconds: 2_500,
  /** The patterns for a file's references may take this long, in milliseconds; what they found until then is kept. */
  referencesMilliseconds: 1_500,
  /**
   * And not longer than until so many milliseconds after the parse began: the file's other work needs its time, too.
   */
  syntaxMilliseconds: 3_000,
  /**
   * Most matches of these patterns that may be under way at once, most of a file (0.5 KB each; a program of a million
   * characters has about 70,000), and most definitions and uses of a file.
   */
  referenceMatches: 4_096,
  referenceMatchesPerFile: 150_000,
  referencesPerFile: 20_000,
  /**
   * Entries of a DOCX archive, bytes that its XML may unpack to and how many times its packed size that may be; its
   * elements, and how deep they nest.
   */
  docxEntries: 5_000,
  docxUnpackedBytes: 24 * 2 ** 20,
  docxRatio: 200,
  docxElements: 150_000,
  docxNesting: 200,
  /** Pages of a PDF, characters of its text, and how long one page may take, in milliseconds. */
  pdfPages: 5_000,
  pdfCharacters: 20_000_000,
  pdfPageMilliseconds: 2_000,
  /** So much of a CSV file with quotes is read by a parser; of what follows, each line is a row. */
  csvCharacters: 1_000_000,
  /** So many rows of a table are read, its first ones: a table of more is data for a program. */
  csvRows: 60_000,
} as const;
