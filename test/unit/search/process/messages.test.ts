import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import { indexRequests } from '../../../../src/search/indexer/index-service.ts';
import { callingPorts, callPort, type Method, type Ports } from '../../../../src/search/process/messages.ts';
import { UnknownReplyError } from '../../../../src/search/process/start-daemon.ts';

/** Ports that call those of a test as if a process lay between. */
function across(served: { [P in keyof Ports]?: Partial<Ports[P]> }, signal = new AbortController().signal): Ports {
  return callingPorts(
    async (method, args) => structuredClone(await callPort(served as Ports, method, structuredClone(args), signal)),
    (method: Method, problem) => new UnknownReplyError(method, problem),
  );
}

describe('the ports of the index process', () => {
  it('have every method that the schema has, and take a call over whole', async () => {
    const seen: unknown[] = [];
    const ports = across({
      index: {
        shown: async (uris) => {
          seen.push(uris);
        },
      },
    });
    assert.deepEqual(Object.keys(ports.index), Object.keys(indexRequests));
    await ports.index.shown(['file:///a']);
    assert.deepEqual(seen, [['file:///a']]);
  });

  it('hand on the signal behind the arguments', async () => {
    const { signal } = new AbortController();
    let seen: unknown[] = [];
    const pause = async (...args: unknown[]): Promise<void> => {
      seen = args;
    };
    await across({ index: { pause } }, signal).index.pause();
    assert.deepEqual(seen, [signal]);
  });

  it('refuse what is not as promised, on either side', async () => {
    const ports = across({
      index: { state: () => Promise.resolve({ ...UNKNOWN_INDEX, phase: 'asleep' as 'ready' }) },
      retriever: { search: () => assert.fail('nothing is searched') },
    });
    await assert.rejects(ports.index.state(), { code: 'index-process-reply', message: /index\.state.*phase/s });
    const filter = { folders: ['src'] } as object;
    await assert.rejects(ports.retriever.search('x', { retriever: 'text', limit: 1, filter }), /folders/);
  });
});
