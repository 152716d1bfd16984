import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addTo, hashOf, HoptrailError, jsonLines, readJsonLines } from '#base';
import { type CompletionPart, type LanguageModel, type ResearchEvent, withStream } from '#research/lab';
import { mendLog, readLog } from './dataset.ts';

/** A request that the recorded run did not make, so that a replay has no reply to it. */
export class NotRecordedError extends HoptrailError {
  readonly code = 'not-recorded';
}

/** How the recorded model described itself. */
const modelShape = z.object({
  id: z.string(),
  name: z.string(),
  contextTokens: z.number(),
  tools: z.boolean().optional(),
});

const exchangeShape = z.object({
  key: z.string(),
  model: modelShape,
  messages: z.array(z.unknown()),
  /** Schema, tools and limits of the request. */
  options: z.unknown(),
  parts: z.custom<CompletionPart[]>(Array.isArray),
});

type Stream = LanguageModel['stream'];

/**
 * A model whose requests and replies are kept in a file. At temperature 0 a kept reply answers the same request again,
 * so ways of asking share their first calls and an interrupted run goes on. Every call is still counted by the run.
 * @param file JSON lines; a last line that was cut off is dropped
 */
export function recordReplies(model: LanguageModel, file: string): LanguageModel {
  const kept = keptReplies(file);
  async function* stream(...[messages, options]: Parameters<Stream>): AsyncIterable<CompletionPart> {
    options.signal?.throwIfAborted();
    const key = keyOf(model.id, messages, options);
    const known = (options.temperature ?? 0) === 0 ? kept.get(key)?.[0] : undefined;
    if (known) return yield* known;
    const parts: CompletionPart[] = [];
    for await (const part of model.stream(messages, options)) {
      parts.push(part);
      yield part;
    }
    const whole = joined(parts);
    addTo(kept, key, whole);
    const { signal: _, ...asked } = options;
    const { id, name, contextTokens, tools } = model; // as they are known by now: a server tells its window late
    const about = { id, name, contextTokens, ...(tools !== undefined && { tools }) };
    appendFileSync(file, jsonLines([{ key, model: about, messages, options: asked, parts: whole }]));
  }
  return withStream(model, stream);
}

/** The model of a recording: it gives the recorded replies and asks nobody. @throws NotRecordedError */
export function replayedModel(file: string): LanguageModel {
  const kept = keptReplies(file);
  const last = readLog(file, exchangeShape.pick({ model: true }), WRITTEN).at(-1);
  if (!last) throw new NotRecordedError(`${file} holds no recorded reply.`, { advice: 'Record a run first.' });
  const { model } = last;
  const used = new Map<string, number>();
  return {
    ...model,
    async *stream(messages, options) {
      options.signal?.throwIfAborted();
      const key = keyOf(model.id, messages, options);
      const replies = kept.get(key) ?? [];
      const turn = used.get(key) ?? 0;
      used.set(key, turn + 1);
      const parts = replies[Math.min(turn, replies.length - 1)];
      if (!parts)
        throw new NotRecordedError(`${file} has no reply to a request of this run.`, {
          advice: 'A prompt, the index or an option has changed since it was recorded. Record it again.',
        });
      yield* parts;
    },
  };
}

const WRITTEN = { is: 'recorded reply', from: 'hoptrail eval answer --runs' };

/** Recorded replies by request, in the order in which they came. */
function keptReplies(file: string): Map<string, CompletionPart[][]> {
  const exchanges = readLog(file, exchangeShape, WRITTEN);
  mendLog(file, exchanges);
  const kept = new Map<string, CompletionPart[][]>();
  for (const { key, parts } of exchanges) addTo(kept, key, parts);
  return kept;
}

function keyOf(id: string, messages: Parameters<Stream>[0], options: Parameters<Stream>[1]): string {
  const { schema, tools, maxTokens, stop, temperature = 0 } = options;
  return hashOf(JSON.stringify([id, messages, schema, tools, maxTokens, stop, temperature]), 32);
}

/** A streamed reply with its text in one piece; tool calls, thoughts and usage stay as they are. */
function joined(parts: readonly CompletionPart[]): CompletionPart[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts.filter(({ type }) => type !== 'text')];
}

const runShape = z.object({ id: z.string(), events: z.custom<ResearchEvent[]>(Array.isArray) });
/** One question's run: every event, first to last. */
export type RecordedRun = z.infer<typeof runShape>;

/** Files of a recording. */
export const recordingFiles = (folder: string) => ({
  replies: join(folder, 'replies.jsonl'),
  events: join(folder, 'events.jsonl'),
  records: join(folder, 'records.jsonl'),
});

export function keepRun(folder: string, run: RecordedRun): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(recordingFiles(folder).events, jsonLines([run]));
}

/** The recorded runs of a folder; of a question that was asked twice, the last. */
export function readRuns(folder: string): RecordedRun[] {
  const { events } = recordingFiles(folder);
  if (!existsSync(events))
    throw new NotRecordedError(`${folder} holds no recorded runs.`, {
      advice: 'Name a folder that `hoptrail eval answer --runs` wrote.',
    });
  const { values } = readJsonLines(readFileSync(events, 'utf8'), runShape);
  return [...new Map(values.map((run) => [run.id, run])).values()];
}
