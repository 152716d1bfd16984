import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { hashOf, jsonLines, readJsonLines } from '#base';
import { type CompletionPart, type LanguageModel, withStream } from '#research/lab';

/**
 * A model whose whole replies are kept in a file, by what it was asked: ways of asking that share their first calls
 * cost these once, and an interrupted evaluation goes on where it was. Only for temperature 0, where the same question
 * has the same reply. Every call is still counted where it is made.
 * @param file JSON lines; a last line that was cut off is left out
 */
export function keepReplies(model: LanguageModel, file: string): LanguageModel {
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const kept = new Map(readJsonLines(written, z.custom<[string, CompletionPart[]]>(Array.isArray)).values);
  if (!/(?:^|\n)$/u.test(written)) appendFileSync(file, '\n');
  async function* stream(...[messages, options]: Parameters<LanguageModel['stream']>): AsyncIterable<CompletionPart> {
    const { signal, schema, maxTokens, stop, temperature = 0 } = options;
    signal?.throwIfAborted();
    if (temperature !== 0) return yield* model.stream(messages, options);
    const asked = JSON.stringify([model.id, messages, schema, maxTokens, stop]);
    const key = hashOf(asked, 32);
    const known = kept.get(key);
    if (known) return yield* known;
    const parts: CompletionPart[] = [];
    for await (const part of model.stream(messages, options)) {
      parts.push(part);
      yield part;
    }
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const whole: CompletionPart[] = [{ type: 'text', text }, ...parts.filter(({ type }) => type === 'usage')];
    kept.set(key, whole);
    appendFileSync(file, jsonLines([[key, whole]]));
  }
  return withStream(model, stream);
}
