import path from 'node:path';
import { timerClock } from '#base';
import { BUNDLED_MODEL, openEmbedder } from '../embedding/open-embedder.ts';
import type { EmbedderChoice } from '../indexer/index-service.ts';
import { createPassageSource } from '../reading/create-passage-source.ts';
import { nodeFileSystem } from '../reading/file-system.ts';
import { createIndexService, type LocalIndexService } from '../indexer/create-index-service.ts';
import { PassageProfiles } from '../retrieval/features/passage-profile.ts';
import { createChainLearner } from '../retrieval/heads/chain-learner.ts';
import { headsFor, HeadsInUse, shippedHeads } from '../retrieval/heads/heads-in-use.ts';
import { createRetriever } from '../retrieval/create-retriever.ts';
import { FeatureChainScorer } from '../retrieval/feature-chain-scorer.ts';
import { lazyEncoder, openJointEncoder, type LazyEncoder } from '../retrieval/encoder/joint-encoder.ts';
import { readReaderWeights } from '../retrieval/reader/read-passages.ts';
import { startGuard } from './process-guard.ts';
import { ReadingProcess } from './reading/reading-process.ts';
import type { TokenCounting } from './reading/reading-messages.ts';
import type { FromIndexProcess, LogLevel, Ports, ToIndexProcess } from './messages.ts';
import { sharingPorts, SharedProcess } from './sharing/shared-process.ts';
import { createRequestServer } from './serve-requests.ts';

/** How long an orderly end may take before the process is ended the hard way. */
const CLOSING_MS = 5_000;
/** The same once the parent is gone, when nobody knows whether this process can end in order at all. */
const ORPHAN_MS = 500;
/** Within this time the parent has told this process to end if the signal was meant for both. */
const PARENT_DECIDES_MS = 1_500;

/** Serves requests from the parent until it goes away. `entry` is the file that threads are started from. */
export function runIndexProcess(entry: string): void {
  let service: LocalIndexService | undefined;
  let sharing: SharedProcess | undefined;
  let encoder: LazyEncoder | undefined;
  let ending = false;
  const send = (message: FromIndexProcess): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined); // a parent that just went is noticed by 'disconnect'
  };
  const log = (level: LogLevel, text: string): void => send({ type: 'log', level, text });
  startGuard(entry, { graceMs: ORPHAN_MS }, (text) => log('error', text));

  /**
   * Closes the index and ends. A thread in the middle of an inference cannot be ended in an orderly way, hence the
   * kill.
   */
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSING_MS).unref();
    // Guests go first: what they have asked goes on elsewhere, and is not answered with the end of this one.
    const left = sharing?.offer(undefined) ?? Promise.resolve();
    left
      .then(() => Promise.all([service?.close(), encoder?.close()]))
      .then(
        () => process.exit(0),
        () => process.kill(process.pid, 'SIGKILL'),
      );
  };

  const start = async (init: Extract<ToIndexProcess, { type: 'init' }>): Promise<Ports> => {
    // In a thread of its own unless this is source code run through a loader, which threads do not inherit.
    const workerFile = /\.c?js$/.test(entry) ? path.join(path.dirname(entry), 'model-thread.cjs') : undefined;
    const profiles = new PassageProfiles();
    const shipped = shippedHeads(init.modelsDir);
    const scorer = new FeatureChainScorer(shipped, profiles);
    const heads = new HeadsInUse(shipped, scorer);
    const index = createIndexService({
      openEmbedder: async (choice) => {
        const embedder = await openEmbedder(choice, { modelsDir: init.modelsDir, workerFile });
        heads.startWith(headsFor(choice, shipped));
        return embedder;
      },
      createSource: (config, _embedder, unsaved) =>
        createPassageSource(config, {
          files: unsaved.over(nodeFileSystem),
          reader: new ReadingProcess({
            entry,
            wasmDir: init.wasmDir,
            counting: countingOf(config.embedder, init.modelsDir),
            encoding: config.encoding,
            shown: (uri) => unsaved.bytesOf(uri),
            log,
          }),
        }),
      clock: timerClock,
      wallClock: () => Date.now(),
      log,
    });
    service = index;
    index.onState((state) => send({ type: 'state', state }));
    const ports = { index: index.index, embedder: index.embedder, profiles, now: () => performance.now() };
    encoder = lazyEncoder(
      () => openJointEncoder(init.modelsDir, workerFile === undefined ? undefined : { workerFile }),
      (text) => log('error', text),
    );
    const retriever = createRetriever({
      ...ports,
      scorer,
      encoder: encoder.encoder,
      unread: encoder.unread,
      found: (passageIds) => index.prefer(passageIds),
      reader: readReaderWeights(path.join(init.modelsDir, 'reader.json')),
    });
    const own: Ports = { index, retriever, learner: createChainLearner(ports, heads) };
    if (init.socketFolder === undefined) return own;
    const program = { entry, modelsDir: init.modelsDir };
    const shared = new SharedProcess({ folder: init.socketFolder, program, log });
    sharing = shared;
    index.onState((state) => shared.stateChanged(state));
    return sharingPorts(own, shared);
  };

  const server = createRequestServer({ start, send, exit: end });
  process.on('message', (message) => server.receive(message));
  process.on('disconnect', end);
  // A signal may reach all processes of a command (Ctrl-C in a terminal does): then the parent decides what becomes of
  // this one.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => setTimeout(end, PARENT_DECIDES_MS));
  process.on('unhandledRejection', (reason) =>
    log('error', `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`),
  );
  if (!process.connected) end();
}

/** What the reading process needs to count tokens as the embedder does. */
function countingOf(choice: EmbedderChoice, modelsDir: string): TokenCounting {
  switch (choice.kind) {
    case 'bundled':
      return { kind: 'model', folder: path.join(modelsDir, BUNDLED_MODEL) };
    case 'folder':
      return { kind: 'model', folder: path.resolve(choice.path) };
    case 'endpoint':
      return { kind: 'careful' };
  }
}
