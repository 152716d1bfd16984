/** How much of one reply is read. Servers may ignore the tokens that were asked for, and some never end. */
export interface ReplyLimits {
  /** Characters of text; what is beyond is left out, as if the model had stopped at its token limit. */
  characters: number;
  /** Bytes on the wire, after unpacking; a longer reply is an error. */
  bytes: number;
}

/** No reply of ours is longer, whatever was asked for: a megabyte of text is a book. */
const MOST_CHARACTERS = 1_000_000;
/** Thinking that a server does not count, and forms that models put around what was asked for. */
const FREE_CHARACTERS = 16_000;
/** Longest that a token is, generously: most are four characters, but runs of spaces or dashes may be one token. */
const CHARACTERS_PER_TOKEN = 32;
/** An event of a stream wraps each token in JSON with ids, times and fingerprints: some hundred bytes. */
const BYTES_PER_TOKEN = 2048;
const FREE_BYTES = 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Tokens of a reply for which no limit was asked. */
const ASSUMED_TOKENS = 8192;

/** Limits of the reply to a request for so many tokens. */
export function replyLimits(maxTokens: number | undefined): ReplyLimits {
  return {
    characters:
      maxTokens === undefined
        ? MOST_CHARACTERS
        : Math.min(MOST_CHARACTERS, FREE_CHARACTERS + maxTokens * CHARACTERS_PER_TOKEN),
    bytes: Math.min(MOST_BYTES, FREE_BYTES + (maxTokens ?? ASSUMED_TOKENS) * BYTES_PER_TOKEN),
  };
}

/** Most bytes of a reply that is one JSON value: it is parsed at once, which holds the program meanwhile. */
export const WHOLE_REPLY_BYTES = 4 * 1024 * 1024;
/** Most bytes of what a fine-tuning service says; its lists hold a hundred entries of a few kilobytes at most. */
export const SERVICE_REPLY_BYTES = 1024 * 1024;
