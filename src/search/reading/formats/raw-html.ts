import { TokenizerMode } from 'parse5';

/** Elements whose content is no markup, and how the tokenizer has to read it (HTML standard, section 13.2.6). */
export const RAW_CONTENT: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode] | undefined>> = {
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
