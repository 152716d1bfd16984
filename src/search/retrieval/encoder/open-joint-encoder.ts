import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EncoderLogits, EncoderRows } from '../../embedding/encoder-session.ts';
import { openModelThread, type ThreadEntry } from '../../embedding/model-thread.ts';
import type { ModelSession } from '../../embedding/model-thread-messages.ts';
import { BUNDLED_MODEL } from '../../embedding/open-embedder.ts';
import { layOut } from './input-layout.ts';
import { type EncoderReading, interpretOutput, type JointEncoder } from './joint-encoder.ts';
import { WordPieces } from './word-pieces.ts';

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
  });
}

/** Readings that are remembered: what a question finds is read again for its units. */
const REMEMBERED = 96;

/** The same encoder, which reads nothing twice as long as it remembers it. What fails is forgotten. */
export function rememberReadings(encoder: JointEncoder): JointEncoder {
  const known = new Map<string, EncoderReading>();
  return {
    async read(input, signal) {
      const key = JSON.stringify(input);
      const before = known.get(key);
      if (before) return before;
      const reading = await encoder.read(input, signal);
      known.set(key, reading);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return reading;
    },
    close: () => encoder.close(),
  };
}

/** See {@link lazyEncoder}. */
export interface LazyEncoder {
  encoder(this: void): Promise<JointEncoder | undefined>;
  close(): Promise<void>;
}

/** An encoder that is opened when it is first asked for; one that cannot be opened is said once, and then not there. */
export function lazyEncoder(open: () => Promise<JointEncoder | undefined>, say: (text: string) => void): LazyEncoder {
  let opened: Promise<JointEncoder | undefined> | undefined;
  return {
    encoder: () =>
      (opened ??= open().catch((error: unknown) => {
        say(`answers are chosen without the joint encoder: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      })),
    close: async () => (await opened)?.close(),
  };
}
