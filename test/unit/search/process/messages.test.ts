import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import { indexRequests } from '../../../../src/search/indexer/index-service.ts';
import { callingPorts, callPort, type Method, type Ports } from '../../../../src/search/process/messages.ts';
import { UnknownReplyError } from '../../../../src/search/process/child-handle.ts';

/** Ports that call those of a test as if a process lay between. */
function across(served: { [P in keyof Ports]?: Partial<Ports[P]> }, signal = new AbortController().signal): Ports {
  return callingPorts(
    async (method, args) => structuredClone(await callPort(served as Ports, method, structuredClone(args), signal)),
    (method: Method, problem) => new UnknownReplyError(method, problem),
  );
}

describe('the ports of the index process', () => {
  it('have every method that the schema has, and take a call over whole', async () => {
    const trail = { id: 't', question: 'Who?', runQuestion: 'Who keeps the mast?', passageIds: ['a'] };
    const seen: unknown[] = [];
    const ports = across({
      learner: {
        score: async (weights, trails) => {
          seen.push(weights, trails);
          return [{ id: 't', recall5: 1, chainEM: 0 }];
        },
      },
    });
    assert.deepEqual(Object.keys(ports.index), Object.keys(indexRequests));
    assert.deepEqual(await ports.learner.score(undefined, [trail]), [{ id: 't', recall5: 1, chainEM: 0 }]);
    assert.deepEqual(seen, [undefined, [trail]], 'the question of the run is not lost on the way');
  });

  it('hand on the signal behind the arguments, whichever of these were left out', async () => {
    const { signal } = new AbortController();
    let seen: unknown[] = [];
    const ports = across(
      {
        learner: {
          use: async (...args) => {
            seen = args;
          },
        },
      },
      signal,
    );
    await ports.learner.use();
    assert.deepEqual(seen, [undefined, signal]);
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
