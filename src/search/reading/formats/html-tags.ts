import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** Elements whose content is no markup, and how the tokenizer has to read it (HTML standard, section 13.2.6). */
const RAW_CONTENT: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode] | undefined>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

/** What reads a page tag by tag. */
export interface TagReader {
  start(tag: Token.TagToken): void;
  end(tag: Token.TagToken): void;
  words(chars: string, location: Token.Location | null): void;
  /** White space between words. */
  blank(): void;
}

/**
 * Reads the tags one after the other. No tree is built: repairing what crosses takes parse5 quadratic time, and whoever
 * reads here needs no more than the tags themselves.
 */
export function readTags(html: string, reader: TagReader): void {
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        const mode = RAW_CONTENT[tag.tagName];
        if (mode !== undefined) tokenizer.state = mode;
        reader.start(tag);
      },
      onEndTag: (tag) => reader.end(tag),
      onCharacter: ({ chars, location }) => reader.words(chars, location),
      onWhitespaceCharacter: () => reader.blank(),
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
    },
  );
  tokenizer.write(html, true);
}
