import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { WordPieceCounter, type WordPieceTokenizerFile } from '../reading/word-piece-counter.ts';
import { EmbeddingModelError } from './embedding-errors.ts';

/** Counts tokens as the model in the folder does, special tokens included. No native code is loaded. */
export function openTokenCounter(folder: string): (text: string) => number {
  try {
    const file = JSON.parse(readFileSync(path.join(folder, 'tokenizer.json'), 'utf8')) as WordPieceTokenizerFile & { normalizer?: { type?: string } | null };
    if (file.model.type === 'WordPiece' && file.normalizer?.type === 'BertNormalizer') {
      const counter = new WordPieceCounter(file);
      return (text) => counter.count(text);
    }
    const config = readFileSync(path.join(folder, 'tokenizer_config.json'), 'utf8');
    const tokenizer = new Tokenizer(file, JSON.parse(config) as object);
    return (text) => tokenizer.encode(text).ids.length;
  } catch (error) {
    throw new EmbeddingModelError(folder, `its tokenizer cannot be used (${error instanceof Error ? error.message : String(error)})`, error);
  }
}
