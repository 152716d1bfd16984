import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FromIndexProcess, Ports } from '../../../../src/search/process/messages.ts';
import { explainFailedStart } from '../../../../src/search/process/child-handle.ts';
import { createRequestServer } from '../../../../src/search/process/serve-requests.ts';
import { settled } from '../../../doubles/waiting.ts';

/** Ports of which a test gives the few methods that it asks for. */
function serve(ports: { [P in keyof Ports]?: Partial<Ports[P]> }): {
  sent: FromIndexProcess[];
  receive: (message: unknown) => void;
} {
  const sent: FromIndexProcess[] = [];
  const server = createRequestServer({
    start: () => Promise.resolve(ports as Ports),
    send: (message) => sent.push(message),
    exit: () => sent.push({ type: 'log', level: 'info', text: 'exit' }),
  });
  return {
    sent,
    receive: (message) => server.receive(message),
  };
}
const init = { type: 'init', modelsDir: '/m', wasmDir: '/w' };

describe('requests to the index process', () => {
  it('are answered by number, once it is ready', async () => {
    const report = { files: [{ path: 'a.md', language: 'markdown', passages: 2 }], skipped: [], fallbacks: [] };
    const { sent, receive } = serve({ index: { report: () => Promise.resolve(report) } });
    receive(init);
    receive({ type: 'request', id: 7, method: 'index.report', args: [] });
    await settled();
    assert.deepEqual(sent, [{ type: 'ready' }, { type: 'result', id: 7, value: report }]);
  });

  it('are refused when their shape is wrong, and nothing breaks', async () => {
    const { sent, receive } = serve({ index: { passagesOf: () => Promise.resolve([]) } });
    receive(init);
    receive('nonsense');
    receive({ type: 'request', id: 1, method: 'process.exit', args: [] });
    receive({ type: 'request', id: 2, method: 'index.passagesOf', args: [5] });
    receive({ type: 'request', id: 3, method: 'index.open', args: [{ roots: [{ uri: 'https://x', name: '' }] }] });
    await settled();
    assert.deepEqual(
      sent.filter((message) => message.type === 'failure').map((message) => message.id),
      [2, 3],
    );
    assert.equal(sent.filter((message) => message.type === 'log').length, 2);
  });

  it('are aborted by their number', async () => {
    const { sent, receive } = serve({
      retriever: {
        embed: (_, signal) =>
          new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
      },
    });
    receive(init);
    receive({ type: 'request', id: 1, method: 'retriever.embed', args: [['a']] });
    await settled();
    receive({ type: 'cancel', id: 2 });
    receive({ type: 'cancel', id: 1 });
    await settled();
    const failure = sent.at(-1);
    assert.ok(failure?.type === 'failure' && failure.aborted && failure.id === 1);
  });

  it('fail before init', async () => {
    const { sent, receive } = serve({});
    receive({ type: 'request', id: 1, method: 'index.state', args: [] });
    await settled();
    assert.equal(sent[0]?.type, 'failure');
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
