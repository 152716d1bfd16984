import { existsSync } from 'node:fs';
import path from 'node:path';
import { HoptrailError, throwIfCancelled } from '#base';
import type { EncoderLogits, EncoderRows } from '../../embedding/encoder-session.ts';
import { openModelThread, type ThreadEntry } from '../../embedding/model-thread.ts';
import type { ModelSession } from '../../embedding/model-thread-messages.ts';
import { BUNDLED_MODEL } from '../../embedding/open-embedder.ts';
import { type EncoderInput, type LaidOut, layOut, type TokenPlace } from './input-layout.ts';
import { WordPieces } from './word-pieces.ts';

/** Of the network's `passage_logits`, [9] for each input (lab/training, `model.py`); the others are not looked at. */
const EXTENDS = 0;
const COMPLETE = 1;
/** Order of the last axis of `token_logits`, [tokens × 3] for each input. */
const START = 0;
const END = 1;
const SUPPORT = 2;
const TOKEN_LABELS = 3;

/** Tokens of an answer: longer ones are sentences, which are quoted. */
const LONGEST_SPAN = 32;
/** Starts and ends that are tried with each other. */
const TRIED = 24;

/** A place that may be the answer. */
interface ReadSpan {
  /** True: it stands in the header. */
  inHeader: boolean;
  /** Offsets into the header or the text. */
  start: number;
  end: number;
  /** Start and end logit together, less those of "no answer here": above 0 it is likelier than that there is none. */
  score: number;
}

/** One input, read. Logits: 0 means as likely as not. */
export interface EncoderReading {
  /** The passage leads on from question and chain towards the answer (Beam Retrieval, arXiv 2308.08973, §3.2). */
  extends: number;
  /** Chain and passage together are enough to answer. */
  complete: number;
  /** Best first, none overlapping another of a better score; never empty unless the input holds no text. */
  spans: ReadSpan[];
  /** Mean logit of support over the tokens of a stretch of the text; undefined where the input holds none of it. */
  support(start: number, end: number): number | undefined;
}

/**
 * Port: the network that reads question, chain and passage together (§3 of the paper). Rejects with AbortError on
 * abort.
 */
export interface JointEncoder {
  read(input: EncoderInput, signal?: AbortSignal): Promise<EncoderReading>;
  close(): Promise<void>;
  /** See ModelSession. */
  readonly ended?: AbortSignal;
}

/** Makes sense of the network's numbers. */
export function interpretOutput({ places }: LaidOut, { passageLogits, tokenLogits }: EncoderLogits): EncoderReading {
  return {
    extends: passageLogits[EXTENDS] ?? 0,
    complete: passageLogits[COMPLETE] ?? 0,
    spans: bestSpans(places, tokenLogits),
    support: (start, end) => {
      let sum = 0;
      let count = 0;
      places.forEach((place, token) => {
        if (!place || place.inHeader || place.start < start || place.end > end) return;
        sum += tokenLogits[token * TOKEN_LABELS + SUPPORT] ?? 0;
        count++;
      });
      return count === 0 ? undefined : sum / count;
    },
  };
}

/** Pairs of a likely start and end within header or text; the first token of the input stands for "no answer". */
function bestSpans(places: readonly (TokenPlace | undefined)[], logits: Float32Array): ReadSpan[] {
  const at = (token: number, label: number): number => logits[token * TOKEN_LABELS + label] ?? -Infinity;
  const nothing = at(0, START) + at(0, END);
  const inText = places.flatMap((place, token) => (place ? [{ place, token }] : []));
  const likeliest = (label: number): typeof inText =>
    [...inText].sort((a, b) => at(b.token, label) - at(a.token, label)).slice(0, TRIED);
  const ends = likeliest(END);
  const spans = likeliest(START).flatMap((first) =>
    ends
      .filter(
        (last) =>
          last.place.inHeader === first.place.inHeader &&
          last.token >= first.token &&
          last.token - first.token < LONGEST_SPAN,
      )
      .map((last): ReadSpan => ({
        inHeader: first.place.inHeader,
        start: first.place.start,
        end: last.place.end,
        score: at(first.token, START) + at(last.token, END) - nothing,
      })),
  );
  spans.sort((a, b) => b.score - a.score);
  const kept: ReadSpan[] = [];
  for (const span of spans) {
    const overlaps = kept.some(
      (other) => other.inHeader === span.inHeader && other.start < span.end && span.start < other.end,
    );
    if (!overlaps) kept.push(span);
  }
  return kept;
}

/** Folder of the joint encoder inside the models folder. */
const JOINT_ENCODER = 'joint-encoder';

/** Tokens of one input: the longest ones cost more than half of the time, and few answers stand at their end. */
const LONGEST_READ = 384;
const THREADS = 2;
/** A question is waited for, but the window is typed in. */
const NICENESS = 5;

/**
 * The joint encoder of a models folder; undefined where its file is not there: all works without it.
 * @param thread Where its thread is started from; left out, it runs in the calling thread: good for scripts.
 * @throws EmbeddingModelError for a file that is no such network
 */
export async function openJointEncoder(modelsDir: string, thread?: ThreadEntry): Promise<JointEncoder | undefined> {
  const folder = path.join(modelsDir, JOINT_ENCODER);
  if (!existsSync(path.join(folder, 'onnx', 'model_quantized.onnx'))) return undefined;
  const session: ModelSession<EncoderRows, EncoderLogits> = thread
    ? await openModelThread({ role: 'encoding', folder, threads: THREADS, niceness: NICENESS }, thread)
    : await (await import('../../embedding/encoder-session.ts')).openEncoderSession(folder, THREADS);
  const pieces = WordPieces.open(path.join(modelsDir, BUNDLED_MODEL, 'tokenizer.json'));
  return rememberReadings({
    async read(input, signal) {
      signal?.throwIfAborted();
      const laid = layOut(pieces, input, LONGEST_READ);
      return interpretOutput(laid, await session.run({ ids: laid.ids, types: laid.types }));
    },
    close: () => session.close(),
    ...(session.ended && { ended: session.ended }),
  });
}

/** Readings that are remembered: what a question finds is read again for its units. */
const REMEMBERED = 96;

/** The same encoder, which reads nothing twice as long as it remembers it. What fails is forgotten. */
export function rememberReadings(encoder: JointEncoder): JointEncoder {
  const known = new Map<string, EncoderReading>();
  return {
    async read(input, signal) {
      const { question, chain = [], candidate } = input; // no chain is an empty one
      const key = JSON.stringify([question, chain, candidate]);
      const before = known.get(key);
      if (before) return before;
      const reading = await encoder.read(input, signal);
      known.set(key, reading);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return reading;
    },
    close: () => encoder.close(),
    ...(encoder.ended && { ended: encoder.ended }),
  };
}

/**
 * What was made with the encoder's help, and where the encoder fails, as on a machine without memory for it, what there
 * is without.
 * @param tell Is told the failure.
 * @throws AbortError only
 */
export async function orUnread<T>(
  work: Promise<T>,
  without: T,
  tell: ((error: unknown) => void) | undefined,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throwIfCancelled(error, signal);
    tell?.(error);
    return without;
  }
}

/** Milliseconds that one stage of a question may read: far more than a busy machine needs. */
const LONGEST_STAGE = 15_000;

/** The encoder did not read in time. */
class EncoderTooSlowError extends HoptrailError {
  readonly code = 'encoder-too-slow';
}

/**
 * The same encoder for one stage of a question. It rejects once the stage has taken {@link LONGEST_STAGE}: with
 * {@link orUnread} a stage is read as a whole or not at all, so that load changes no order.
 * @param now Milliseconds, monotonic.
 */
export function forOneStage(encoder: JointEncoder, now: () => number): JointEncoder {
  const until = now() + LONGEST_STAGE;
  return {
    ...encoder,
    read: async (input, signal) => {
      if (now() >= until)
        throw new EncoderTooSlowError(`The joint encoder did not read in ${LONGEST_STAGE / 1000} s.`, {
          advice: 'Nothing has to be done: what was found is shown as the other models order it.',
        });
      return encoder.read(input, signal);
    },
  };
}

/** See {@link lazyEncoder}. */
export interface LazyEncoder {
  encoder(this: void): Promise<JointEncoder | undefined>;
  /** Says the first failure of an encoder that is there. */
  unread(this: void, error: unknown): void;
  close(): Promise<void>;
}

/**
 * An encoder that is opened when it is first asked for; one that cannot be opened, or has ended, is said once, and then
 * not there.
 */
export function lazyEncoder(open: () => Promise<JointEncoder | undefined>, say: (text: string) => void): LazyEncoder {
  let opened: Promise<JointEncoder | undefined> | undefined;
  let isTold = false;
  const without = (error: unknown): undefined =>
    void say(`answers are chosen without the joint encoder: ${error instanceof Error ? error.message : String(error)}`);
  return {
    unread: (error) => {
      if (!isTold) without(error);
      isTold = true;
    },
    encoder: async () => {
      const known = (opened ??= open().catch(without));
      const ended = (await known)?.ended;
      // Of several that ask at once, the first says it.
      if (ended?.aborted && opened === known) opened = Promise.resolve(without(ended.reason));
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}
