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
  parseMilliseconds: 3_000,
  /** Entries of a DOCX archive, bytes that its XML may unpack to and how many times its packed size that may be; its elements, and how deep they nest. */
  docxEntries: 5_000,
  docxUnpackedBytes: 24 * 2 ** 20,
  docxRatio: 200,
  docxElements: 150_000,
  docxNesting: 200,
  /** Pages of a PDF, characters of its text, and how long one page may take, in milliseconds. */
  pdfPages: 5_000,
  pdfCharacters: 20_000_000,
  pdfPageMilliseconds: 2_000,
  /** So much of a YAML file is read by a parser, parts that are read again included; of what follows, only keys at the left margin are known. */
  yamlCharacters: 400_000,
  /** So much of a CSV file with quotes is read by a parser; of what follows, each line is a row. */
  csvCharacters: 1_000_000,
} as const;
