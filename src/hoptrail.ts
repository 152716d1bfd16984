/**
 * The one composition root: extension, command line, MCP server and evaluation open Hoptrail here, and nowhere else is
 * an index process joined, learning opened or an engine made. No editor API and no native code: the index process is a
 * daemon of its own.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { lazy } from '#base';
import { type Learning, openLearning, shippedStrategies } from '#learning';
import { createClassifiers } from '#research';
import { type FolderAmongOthers, firstReading, startIndexProcess, withinFolder } from '#search';
import { createEngine, type Engine, type EnginePorts, LearningOffError } from './engine.ts';

export type { Engine, EnginePorts } from './engine.ts';

export interface HoptrailOptions {
  /** Folder of the package: `dist` and `models` lie in it. */
  home: string;
  /** Where what is learnt lies; undefined: nothing is learnt, and what ships is all that is used. */
  learningFolder?: string;
  /** What the index process says. */
  log: Parameters<typeof startIndexProcess>[0]['log'];
  /** Told of what was learnt and cannot be read or written: runs go on without it. */
  onProblem(error: unknown): void;
}

/** Hoptrail on this machine: one a window, one a command. */
export interface Hoptrail {
  /** What was learnt, opened when it is first asked for. @throws LearningOffError where no folder was named */
  learning(): Learning;
  /** An engine, in which no index is open yet. Others may use its index process, too. */
  engine(use: EngineUse): Engine;
}

/** What one engine is for: the language model, and what an evaluation puts in the place of learning. */
type EngineUse = Pick<EnginePorts, 'model' | 'onNode' | 'selectStrategy'> & {
  /** Only this folder of the index is asked about. */
  within?: FolderAmongOthers;
};

export function openHoptrail({ home, learningFolder, log, onProblem }: HoptrailOptions): Hoptrail {
  const modelsDir = join(home, 'models');
  const learning = lazy((): Learning => {
    if (learningFolder === undefined) throw new LearningOffError('Nothing is learnt here.');
    return openLearning({ folder: learningFolder, modelsDir, now: Date.now, onProblem });
  });
  const shipped = lazy(() => shippedStrategies({ modelsDir, now: Date.now, onProblem }));
  return {
    learning,
    engine: ({ within, ...use }) => {
      const started = startIndexProcess({
        entry: join(home, 'dist', 'index-process.cjs'),
        modelsDir,
        wasmDir: join(home, 'dist', 'wasm'),
        log,
      });
      const learnt = learningFolder === undefined ? undefined : learning();
      const { index, retriever } = within ? withinFolder(started, within) : started;
      const { onState, dispose } = started;
      return createEngine({
        ...use,
        indexProcess: { index, retriever, onState, dispose },
        ready: (signal, waits) => firstReading(started, signal, waits),
        classifier: createClassifiers(modelsDir, retriever),
        learning: learnt,
        ...(!learnt && { selectStrategy: use.selectStrategy ?? shipped() }),
        now: Date.now,
        newId: randomUUID,
      });
    },
  };
}
