import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FromDaemon, Ports, ToDaemon } from '../../../../src/search/process/messages.ts';
import { answerRequests } from '../../../../src/search/process/serve-requests.ts';
import { explainFailedStart } from '../../../../src/search/process/start-daemon.ts';
import { settled } from '../../../doubles/waiting.ts';

/** Ports of which a test gives the few methods that it asks for. */
function serve(ports: { [P in keyof Ports]?: Partial<Ports[P]> }) {
  const sent: FromDaemon[] = [];
  const { take, cancelAll } = answerRequests(ports as Ports, (message) => sent.push(message));
  const request = (id: number, method: Extract<ToDaemon, { type: 'request' }>['method'], ...args: unknown[]): void =>
    take({ type: 'request', id, method, args });
  return { sent, request, cancel: (id: number) => take({ type: 'cancel', id }), cancelAll };
}

describe('requests to the daemon', () => {
  it('are answered by number', async () => {
    const report = { files: [{ path: 'a.md', language: 'markdown', passages: 2 }], skipped: [], fallbacks: [] };
    const { sent, request } = serve({ index: { report: () => Promise.resolve(report) } });
    request(7, 'index.report');
    await settled();
    assert.deepEqual(sent, [{ type: 'result', id: 7, value: report }]);
  });

  it('fail when their arguments are of another shape', async () => {
    const { sent, request } = serve({ index: { passagesOf: () => Promise.resolve([]) } });
    request(2, 'index.passagesOf', 5);
    request(3, 'index.open', { roots: [{ uri: 'https://x', name: '' }] });
    await settled();
    assert.deepEqual(
      sent.map((message) => message.type === 'failure' && message.id),
      [2, 3],
    );
  });

  it('are aborted by their number, and all together when the client is gone', async () => {
    const { sent, request, cancel, cancelAll } = serve({
      retriever: {
        embed: (_, signal) =>
          new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
      },
    });
    for (const id of [1, 2, 3]) request(id, 'retriever.embed', ['a']);
    await settled();
    cancel(9);
    cancel(1);
    await settled();
    assert.deepEqual(
      sent.map((message) => message.type === 'failure' && message.aborted && message.id),
      [1],
    );
    cancelAll();
    await settled();
    assert.equal(sent.length, 3);
  });
});

describe('a start that fails', () => {
  it('is explained', () => {
    assert.match(
      explainFailedStart('code 1', "Error: Cannot find module '@lancedb/lancedb-linux-x64-gnu'\nRequire stack").why,
      /part of it is missing/,
    );
    assert.match(explainFailedStart('SIGILL', '').why, /processor/);
    assert.match(
      explainFailedStart('code 1', "Error: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found").why,
      /too old/,
    );
    assert.match(
      explainFailedStart('code 1', 'Error: lancedb.node: invalid ELF header').why,
      /do not fit this platform/,
    );
    assert.match(explainFailedStart('spawn /x ENOENT', '').why, /missing/);
    assert.equal(
      explainFailedStart('code 3', 'some words\nTypeError: x is not a function\n').why,
      'code 3: TypeError: x is not a function',
    );
  });
});
