import { isDeepStrictEqual } from 'node:util';
import type { IndexConfig, IndexService } from '../../indexer/index-service.ts';
import { createIndexLayout } from '../../store/index-layout.ts';
import type { Ports } from '../messages.ts';
import { FairTurns, takingTurns } from './fair-turns.ts';
import type { SharedProcess } from './shared-process.ts';

/** The ports of the process's own parent, which decides what is open: guests are served exactly that. */
export function sharingPorts(ports: Ports, sharing: SharedProcess): Ports {
  const { index } = ports;
  const turns = new FairTurns();
  let open: IndexConfig | undefined;
  const offering: IndexService = {
    ...index,
    open: async (config, signal) => {
      if (!isDeepStrictEqual(open, config)) await sharing.offer(undefined);
      const state = await index.open(config, signal);
      open = config;
      const lock = createIndexLayout(config.indexUri, config.storageOptions).lock();
      await sharing.offer({ config, ports, turns, holder: () => lock.holder() }, state);
      return state;
    },
    close: async (signal) => {
      open = undefined;
      await sharing.offer(undefined);
      await index.close(signal);
    },
  };
  return { ...ports, index: offering, retriever: takingTurns(ports.retriever, turns, offering) };
}
