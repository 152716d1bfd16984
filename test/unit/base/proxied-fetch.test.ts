import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { endpointFetch } from '../../../src/base/endpoint-fetch.ts';
import { ProxyFailure, proxiedFetch } from '../../../src/base/proxied-fetch.ts';

/** A proxy for the names of another network: it forwards whatever it is asked for to one server. */
describe('a proxy', () => {
  let server: Server;
  let proxy: Server;
  const through: string[] = [];
  const portOf = (one: Server): number => (one.address() as AddressInfo).port;
  const listening = (one: Server): Promise<void> => new Promise((resolve) => one.listen(0, '127.0.0.1', resolve));

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers;
        response.end(
          JSON.stringify({ said: Buffer.concat(chunks).toString(), path: request.url, authorization, type }),
        );
      });
    });
    proxy = createServer((request, response) => {
      through.push(request.url ?? '');
      const { pathname, search } = new URL(request.url ?? '');
      const forwarded = httpRequest(
        {
          host: '127.0.0.1',
          port: portOf(server),
          path: pathname + search,
          method: request.method,
          headers: request.headers,
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(forwarded);
    });
    proxy.on('connect', (request, socket) => {
      through.push(`tunnel ${request.url}`);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    await Promise.all([listening(server), listening(proxy)]);
  });
  after(() => {
    for (const one of [server, proxy]) {
      one.closeAllConnections();
      one.close();
    }
  });
  const address = (): string => `http://127.0.0.1:${portOf(proxy)}`;
  const asked = async (send: typeof fetch | undefined, url: string, init?: RequestInit): Promise<unknown> => {
    through.length = 0;
    const fetch = endpointFetch({ replyBytes: 10_000, ...(send && { fetch: send }) });
    return (await fetch(url, init)).json();
  };

  it('is asked for plain addresses as they are, in whatever name the environment gives it', async () => {
    const url = 'http://llm.corp.example/v1/x?api-version=1';
    for (const environment of [
      { HTTP_PROXY: address() },
      { http_proxy: address() },
      { all_proxy: address() },
      { HTTP_PROXY: address().replace('http://', ''), NO_PROXY: 'other.example,10.0.0.0/8' },
    ]) {
      const init = { method: 'POST', body: '{"a":"ü"}', headers: { authorization: 'Bearer k', 'content-type': 'a/b' } };
      assert.deepEqual(await asked(proxiedFetch(undefined, environment), url, init), {
        said: '{"a":"ü"}',
        path: '/v1/x?api-version=1',
        authorization: 'Bearer k',
        type: 'a/b',
      });
      assert.deepEqual(through, [url]);
    }
  });

  it('takes forms too, and goes by a setting before the environment', async () => {
    const form = new FormData();
    form.append('file', new Blob(['line']), 'a.jsonl');
    const send = proxiedFetch({ url: address() }, { HTTP_PROXY: 'http://127.0.0.1:9' });
    const said = (await asked(send, 'http://files.example/', { method: 'POST', body: form })) as Record<string, string>;
    assert.match(said.said ?? '', /filename="a\.jsonl"[\s\S]*line/);
    assert.match(said.type ?? '', /^multipart\/form-data; boundary=/);
  });

  it('is passed by for this machine, and for what NO_PROXY names', async () => {
    const local = `http://127.0.0.1:${portOf(server)}/`;
    await asked(proxiedFetch({ url: address() }), local);
    await asked(proxiedFetch({ url: address() }), local.replace('127.0.0.1', 'localhost')).catch(() => undefined);
    assert.deepEqual(through, []);
    const cases: [string, string, boolean][] = [
      ['corp.example', 'llm.corp.example', true],
      ['.corp.example', 'corp.example', true],
      ['*.corp.example', 'llm.corp.example', true],
      ['corp.example', 'othercorp.example', false],
      ['corp.example:8080', 'llm.corp.example', false],
      ['corp.example:80 other', 'llm.corp.example', true],
      ['*', 'llm.corp.example', true],
      ['', 'llm.corp.example', false],
      ['192.0.2.0/24', '192.0.2.7', true],
      ['192.0.2.0/24', '198.51.100.7', false],
    ];
    for (const [noProxy, host, isDirect] of cases) {
      const send = proxiedFetch(undefined, { HTTP_PROXY: address(), NO_PROXY: noProxy });
      const stop = AbortSignal.timeout(300); // the names and addresses lead nowhere
      await asked(send, `http://${host}/`, { signal: stop }).catch(() => undefined);
      assert.equal(through.length === 0, isDirect, `${noProxy}: ${host}`);
    }
  });

  it('that refuses is named; where none is set, there is none', async () => {
    await assert.rejects(
      asked(proxiedFetch({ url: address() }), 'https://llm.corp.example/v1'),
      (error) => error instanceof ProxyFailure && error.proxy === new URL(address()).host,
    );
    assert.deepEqual(through, ['tunnel llm.corp.example:443']);
    assert.equal(proxiedFetch(undefined, {}), undefined);
    assert.equal(proxiedFetch(undefined, { HTTP_PROXY: ' ' }), undefined);
  });
});
