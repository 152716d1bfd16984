import { readFileSync } from 'node:fs';

/** The parts of a Hugging Face `tokenizer.json` that are needed here. */
interface TokenizerFile {
  model: { vocab: Record<string, number>; unk_token: string; continuing_subword_prefix: string };
}

/** A stretch of a text: offsets in UTF-16 units, `end` exclusive. */
interface Stretch {
  start: number;
  end: number;
}

/** Tokens of a text, and for each the characters that it stands for; a marker stands for none (`start === end`). */
export interface Tokens {
  ids: number[];
  stretches: Stretch[];
}

/** Longer words are one unknown token, as in BERT. */
const LONGEST_WORD = 100;
const MOST_KNOWN_WORDS = 50_000;
/**
 * What BERT's normaliser strips: control and format characters, private use, halves of pairs, and what replaces damage.
 */
const REMOVED = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const MARKS = /\p{Mn}/gu;
const WHITE_SPACE = /\s/u;
const PUNCTUATION = /[\p{P}!-/:-@[-`{-~]/u;
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

/**
 * BERT's uncased WordPiece (greedy longest match first, arXiv 1609.08144, section 4.1) with the place of every token:
 * transformers.js gives ids without offsets. White space separates words, a punctuation mark or ideograph is a word of
 * its own, and each word is spelt alone, which gives the same ids as spelling the whole text.
 */
export class WordPieces {
  readonly #vocabulary: Map<string, number>;
  readonly #unknown: number;
  readonly #prefix: string;
  readonly #known = new Map<string, readonly number[]>();

  /** @param file A `tokenizer.json` with a WordPiece model. */
  static open(file: string): WordPieces {
    return new WordPieces(JSON.parse(readFileSync(file, 'utf8')) as TokenizerFile);
  }

  constructor({ model }: TokenizerFile) {
    this.#vocabulary = new Map(Object.entries(model.vocab));
    this.#unknown = model.vocab[model.unk_token] ?? 100;
    this.#prefix = model.continuing_subword_prefix;
  }

  /** @param lineMarker Put between lines that hold anything; undefined: lines are white space. */
  encode(text: string, lineMarker?: number): Tokens {
    const tokens: Tokens = { ids: [], stretches: [] };
    let last = 0;
    for (const word of wordsOf(text)) {
      if (lineMarker !== undefined && tokens.ids.length > 0 && text.slice(last, word.start).includes('\n')) {
        tokens.ids.push(lineMarker);
        tokens.stretches.push({ start: word.start, end: word.start });
      }
      last = word.end;
      for (const id of this.#spell(text.slice(word.start, word.end))) {
        tokens.ids.push(id);
        tokens.stretches.push(word);
      }
    }
    return tokens;
  }

  #spell(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const inForm = (form: string): number[] =>
      this.#spellAnew(word.replace(REMOVED, '').toLowerCase().normalize(form).replace(MARKS, ''));
    const exact = inForm('NFD');
    const ids = exact[0] === this.#unknown ? inForm('NFKD') : exact; // ligatures and wide letters
    if (this.#known.size >= MOST_KNOWN_WORDS) this.#known.clear();
    this.#known.set(word, ids);
    return ids;
  }

  #spellAnew(word: string): number[] {
    const letters = [...word];
    if (letters.length === 0) return [];
    if (letters.length > LONGEST_WORD) return [this.#unknown];
    const ids: number[] = [];
    for (let start = 0; start < letters.length;) {
      let end = letters.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.#vocabulary.get((start === 0 ? '' : this.#prefix) + letters.slice(start, end).join(''));
        if (id !== undefined) break;
      }
      if (id === undefined) return [this.#unknown]; // not spellable: the whole word is unknown
      ids.push(id);
      start = end;
    }
    return ids;
  }
}

/** Words, punctuation marks and ideographs of a text, in order. */
function* wordsOf(text: string): Generator<Stretch> {
  let open = -1;
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const space = WHITE_SPACE.test(character);
    const alone = !space && (PUNCTUATION.test(character) || IDEOGRAPH.test(character));
    if (open >= 0 && (space || alone)) {
      yield { start: open, end: at };
      open = -1;
    }
    if (alone) yield { start: at, end };
    else if (!space && open < 0) open = at;
    at = end;
  }
  if (open >= 0) yield { start: open, end: at };
}
