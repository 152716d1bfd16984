import { expression } from '#base';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { EmbeddingModelError } from './embedder.ts';

/**
 * What a text may cost a model whose tokenizer is unknown, special tokens included: never less than a token for three
 * bytes, and for dense text about what byte-pair and word-piece tokenizers make of it at worst. Words of prose cost a
 * token for four letters, words in capitals one for two; where letters and digits mix (base64, hashes) three for four
 * characters; a digit and a sign one each; letters beyond ASCII one for two bytes.
 */
export function carefulTokenCount(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUNS)) tokens += tokensOf(run);
  return Math.max(Math.ceil(Buffer.byteLength(text) / 3), Math.ceil(tokens)) + 2;
}

/** Mixed stretches, words, signs, white space that is more than one blank, and everything beyond ASCII. */
const RUNS = /[A-Za-z]*[0-9][A-Za-z0-9]*|[A-Z]?[a-z]+|[A-Z]+|[!-/:-@[-`{-~]|[^\S ]+| {2,}|[^\0-\x7f]+/g;

function tokensOf(run: string): number {
  if (run.charCodeAt(0) > 127) return Buffer.byteLength(run) / 2;
  if (/^[0-9]+$/.test(run)) return run.length;
  if (/[0-9]/.test(run)) return run.length * 0.75;
  if (!/[A-Za-z]/.test(run)) return 1;
  return Math.ceil(run.length / (/^[A-Z]{2}/.test(run) ? 2 : 4));
}

/** The parts of a Hugging Face `tokenizer.json` that counting needs. */
export interface WordPieceTokenizerFile {
  added_tokens: { content: string }[];
  model: {
    type?: string;
    vocab: Record<string, number>;
    unk_token: string;
    continuing_subword_prefix: string;
    max_input_chars_per_word?: number;
  };
}

const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
// As transformers.js cleans text: its expression strips these categories and keeps tab, newline and carriage return.
const REMOVED = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const WORDS = expression('gu')`
  [^\s\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]+|
  [\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]
`;
const ASCII_WORDS = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
// eslint-disable-next-line no-control-regex -- exactly the characters that the normaliser leaves alone
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const SURROGATE = /[\ud800-\udfff]/;
const CACHED_WORDS = 100_000;

/**
 * Counts tokens as BERT's WordPiece does (greedy longest match first, Wu et al. 2016, arXiv 1609.08144, section 4.1),
 * with the BERT normaliser and pre-tokeniser, special tokens `[CLS]` and `[SEP]` included. It only counts, and
 * remembers words, so it is many times faster than a tokenizer that builds ids.
 */
export class WordPieceCounter {
  readonly #whole = new Set<string>();
  readonly #continuing = new Set<string>();
  readonly #cache = new Map<string, number>();
  readonly #special: RegExp;
  readonly #longestWord: number;
  readonly #longestPiece: number;

  constructor(file: WordPieceTokenizerFile) {
    const prefix = file.model.continuing_subword_prefix;
    let longest = 1;
    for (const token of Object.keys(file.model.vocab)) {
      longest = Math.max(longest, token.length);
      if (token.startsWith(prefix)) this.#continuing.add(token.slice(prefix.length));
      this.#whole.add(token);
    }
    this.#longestPiece = longest;
    this.#longestWord = file.model.max_input_chars_per_word ?? 100;
    this.#special = new RegExp(
      file.added_tokens.map((token) => token.content.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'),
      'g',
    );
  }

  /** Tokens of a text, special tokens included. */
  count(text: string): number {
    let total = 2;
    if (!text.includes('[')) return total + this.#countPlain(text);
    let from = 0;
    for (const match of text.matchAll(this.#special)) {
      total += 1 + this.#countPlain(text.slice(from, match.index));
      from = match.index + match[0].length;
    }
    return total + this.#countPlain(text.slice(from));
  }

  #countPlain(text: string): number {
    const words = PLAIN.test(text) ? text.toLowerCase().match(ASCII_WORDS) : normalise(text).match(WORDS);
    let total = 0;
    if (words) for (const word of words) total += this.#countWord(word);
    return total;
  }

  #countWord(word: string): number {
    if (word.length === 1) return 1;
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    const count = this.#countPieces(word);
    if (this.#cache.size >= CACHED_WORDS) this.#cache.clear();
    this.#cache.set(word, count);
    return count;
  }

  #countPieces(word: string): number {
    // One UTF-16 unit per character, as nearly always, can be sliced without taking the word apart.
    const characters = SURROGATE.test(word) ? [...word] : word;
    if (characters.length > this.#longestWord) return 1;
    let start = 0;
    let pieces = 0;
    while (start < characters.length) {
      const vocabulary = start === 0 ? this.#whole : this.#continuing;
      let end = Math.min(characters.length, start + this.#longestPiece);
      while (end > start && !vocabulary.has(sliceOf(characters, start, end))) end -= 1;
      if (end === start) return 1; // not spellable: the whole word is one unknown token
      start = end;
      pieces += 1;
    }
    return pieces;
  }
}

const sliceOf = (characters: string | readonly string[], start: number, end: number): string =>
  typeof characters === 'string' ? characters.slice(start, end) : characters.slice(start, end).join('');

function normalise(text: string): string {
  return text
    .replace(REMOVED, '')
    .replace(CHINESE, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
}

/** Counts tokens as the model in the folder does, special tokens included. No native code is loaded. */
export function openTokenCounter(folder: string): (text: string) => number {
  try {
    const file = JSON.parse(readFileSync(path.join(folder, 'tokenizer.json'), 'utf8')) as WordPieceTokenizerFile & {
      normalizer?: { type?: string } | null;
    };
    if (file.model.type === 'WordPiece' && file.normalizer?.type === 'BertNormalizer') {
      const counter = new WordPieceCounter(file);
      return (text) => counter.count(text);
    }
    const config = readFileSync(path.join(folder, 'tokenizer_config.json'), 'utf8');
    const tokenizer = new Tokenizer(file, JSON.parse(config) as object);
    return (text) => tokenizer.encode(text).ids.length;
  } catch (error) {
    throw new EmbeddingModelError(
      folder,
      `its tokenizer cannot be used (${error instanceof Error ? error.message : String(error)})`,
      error,
    );
  }
}
