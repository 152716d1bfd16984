import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { inspect } from 'node:util';
import { openEndpointEmbedder } from '../../../src/search/embedding/endpoint-embedder.ts';
import { complete } from '../../../src/research/language-model/complete.ts';
import { listOpenAiModels } from '../../../src/research/language-model/openai-models.ts';
import { openAiModel } from '../../../src/research/language-model/openai-model.ts';
import { reportError } from '../../../src/base/errors.ts';
import { redact, rememberSecret, rememberSecretsOf, withoutSecrets } from '../../../src/base/redact.ts';
import { openAiFineTuning } from '../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { HostileServer } from '../../doubles/hostile-server.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../doubles/scripted-retriever.ts';

const key = 'K3y/of+this-person==42';
const apiKey = async (): Promise<string> => key;
const retry = { attempts: 1, base: 1, cap: 1, longestRetryAfter: 1 };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Every form in which the key may turn up. */
const forms = [key, encodeURIComponent(key), base64(key), base64(`:${key}`), base64(`${key}:`)];

/** Everything that a log could print of a value: its properties, causes and stack. */
const printed = (value: unknown): string =>
  `${inspect(value, { depth: 12, showHidden: true, maxStringLength: null })} ${value instanceof Error ? value.stack : ''}`;

function assertWithoutKey(value: unknown): void {
  const text = printed(value);
  for (const form of forms)
    assert.ok(
      !text.includes(form),
      `the key stands in: ${text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 80)}`,
    );
}

describe('keys in what endpoints say', () => {
  let server: HostileServer;
  afterEach(() => server.stop());

  /** Echoes the request's key in every form: in the body and in a header. */
  const echoing = async (status: number, type = 'application/json'): Promise<string> => {
    server = await HostileServer.answering(({ headers }, response) => {
      const said = `request was ${String(headers.authorization)} ${forms.join(' ')}`;
      response.writeHead(status, { 'content-type': type, 'x-echo': forms.join(' ') });
      response.end(
        type === 'application/json'
          ? JSON.stringify({ error: { message: said, code: key, param: { held: said } } })
          : type === 'text/event-stream'
            ? `data: ${JSON.stringify({ error: { message: said } })}\n\n`
            : said,
      );
    });
    return server.baseUrl;
  };
  const calls: Record<string, (baseUrl: string) => Promise<unknown>> = {
    chat: (baseUrl) =>
      complete(openAiModel({ baseUrl, model: 'm', apiKey, retry }), [{ role: 'user', content: 'hello' }]),
    'a list of models': (baseUrl) => listOpenAiModels({ baseUrl, apiKey }),
    embeddings: (baseUrl) => openEndpointEmbedder({ baseUrl, model: 'm', apiKey: key, sleep: async () => {} }),
    'fine-tuning': (baseUrl) => openAiFineTuning({ baseUrl, apiKey }, { retry }).job('j', new AbortController().signal),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const status of [400, 401, 422, 429, 500]) {
      it(`${name}: a ${status} that echoes the request gives the key to nobody`, async () => {
        const baseUrl = await echoing(status);
        await assert.rejects(call(baseUrl), (error) => {
          assertWithoutKey(error);
          assertWithoutKey(reportError(error));
          return true;
        });
      });
    }
  }

  it('chat: so does an error inside the stream, and a message that is no JSON', async () => {
    for (const [status, type] of [
      [200, 'text/event-stream'],
      [500, 'text/plain'],
      [200, 'application/json'],
    ] as const) {
      const baseUrl = await echoing(status, type);
      await assert.rejects(
        complete(openAiModel({ baseUrl, model: 'm', apiKey, retry }), [{ role: 'user', content: 'hello' }]),
        (error) => {
          assertWithoutKey(error);
          return true;
        },
      );
      await server.stop();
    }
    server = await HostileServer.misbehaving('silent');
  });

  it('a model that says the key is shown and recorded without it', async () => {
    server = await HostileServer.answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pieces =
        `Answer: Tallinn [1]\nBecause:\nRope is bought in Tallinn, by ${key} [1]`.match(/[\s\S]{1,5}/gu) ?? [];
      for (const content of pieces)
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
    const { events, records, ending } = await runResearch('Where is rope bought?', {
      retriever: new ScriptedRetriever([notePassage('rope', 'Suppliers > Rope', 'Rope is bought in Tallinn.')]),
      type: 'lookup',
      model: openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey, retry }),
    });
    assert.equal(ending, 'run-end');
    assertWithoutKey(events);
    assertWithoutKey(records);
  });

  it('an address with a password or a key in it is told without them', async () => {
    await echoing(400);
    const address = `${server.origin.replace('http://', 'http://user:pass-of-mine@')}/v1?api_key=abcdefgh-12345`;
    await assert.rejects(
      complete(openAiModel({ baseUrl: address, model: 'm', apiKey: async () => undefined, retry }), [
        { role: 'user', content: 'hello' },
      ]),
      (error) => {
        assert.doesNotMatch(printed(error), /pass-of-mine|abcdefgh-12345/);
        return true;
      },
    );
    await assert.rejects(openEndpointEmbedder({ baseUrl: address, model: 'm', sleep: async () => {} }), (error) => {
      assert.doesNotMatch(printed(error), /pass-of-mine|abcdefgh-12345/);
      return true;
    });
    assert.throws(
      () => openAiModel({ baseUrl: 'ftp://user:pass-of-mine@host/v1', model: 'm', apiKey }),
      (error) => {
        assert.doesNotMatch(printed(error), /pass-of-mine/);
        return true;
      },
    );
  });
});

describe('redact', () => {
  it('takes out what looks like a key, whoever it belongs to', () => {
    const cases: [string, string][] = [
      ['Incorrect API key provided: sk-proj-abcDEF1234567890.', 'Incorrect API key provided: [key removed].'],
      ['Authorization: Bearer abcdef0123456789abcdef', 'Authorization: Bearer [key removed]'],
      ['header Basic dXNlcjpwYXNzd29yZDEyMw== was sent', 'header Basic [key removed] was sent'],
      [
        'GET https://host/v1/models?api_key=abc123&limit=5 failed',
        'GET https://host/v1/models?api_key=[key removed]&limit=5 failed',
      ],
      ['fetch http://user:password@host:8080/v1', 'fetch http://host:8080/v1'],
      ['{"api_key": "abc123def", "model": "m"}', '{"api_key": "[key removed]", "model": "m"}'],
    ];
    for (const [said, clean] of cases) assert.equal(redact(said), clean);
  });

  it('leaves ordinary messages alone', () => {
    for (const said of [
      'Nothing answers at 127.0.0.1:8099.',
      'The key of this account is not valid: set it again.',
      'Bearer authentication is needed.',
      'basic questions',
      'max_tokens must be at most 4096',
      'see https://host/docs?page=2',
      'risk-management-for-beginners',
    ]) {
      assert.equal(redact(said), said);
    }
  });

  it('takes remembered secrets out of answers, and leaves what only looks like one', () => {
    rememberSecret('the-very-secret-one');
    rememberSecretsOf('https://host/v1?token=another-secret-one');
    assert.equal(
      withoutSecrets('the-very-secret-one, another-secret-one, sk-in-a-document-1234567'),
      '[key removed], [key removed], sk-in-a-document-1234567',
    );
  });

  it('prints no eight characters in a row of a key, in whatever case and with whatever unseen between', () => {
    const secret = 'Zq7-marigold-Xv19';
    rememberSecret(secret);
    const sly = [
      secret.toUpperCase(),
      [...secret].join('\u200b'),
      [...secret].join('\u00ad\ufe0f'),
      `key ${secret.slice(3, 12)}…`,
      `…${secret.slice(-8).toLowerCase()}`,
      Buffer.from(`ab${secret}`).toString('base64'),
    ];
    for (const text of sly)
      for (const clean of [withoutSecrets(`It is ${text} here`), redact(`It is ${text} here`)]) {
        const seen = clean.replace(/[\p{Cf}\ufe0f]/gu, '').toLowerCase();
        for (let at = 0; at + 8 <= secret.length; at += 1)
          assert.ok(!seen.includes(secret.toLowerCase().slice(at, at + 8)), clean);
        assert.match(clean, /^It is .*\[key removed\].* here$/u);
      }
    assert.equal(withoutSecrets('marigol, İstanbul and Xv19'), 'marigol, İstanbul and Xv19');
  });

  it('reads a megabyte of anything at once', () => {
    const started = process.cpuUsage();
    for (const piece of ['sk-', 'Bearer ', '://', '?key=', 'api_key=', 'api_key ', '"api_key" ', 'a@', 'AIza', '-'])
      redact(piece.repeat(1_000_000 / piece.length));
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });
});
