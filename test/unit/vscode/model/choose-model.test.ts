import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { FakeOpenAiServer } from '../../../doubles/fake-openai-server.ts';
import { FakeQuickPick } from '../../../doubles/vscode/fake-quick-pick.ts';
import { lm, progress, resetVscode, window, workspace } from '../../../doubles/vscode/vscode.ts';
import type { TimerClock } from '../../../../src/base/waiting.ts';
import { LOCAL_SERVERS, type ModelServer, SERVICES } from '../../../../src/vscode/model/local-servers.ts';
import { settled } from '../../../doubles/waiting.ts';

const { chooseModel, setApiKey } = await import('../../../../src/vscode/model/choose-model.ts');
const { ModelService } = await import('../../../../src/vscode/model/model-service.ts');
const { usedEndpoints } = await import('../../../../src/vscode/model/used-endpoints.ts');

const models = { object: 'list', data: [{ id: 'small' }, { id: 'nomic-embed' }] };
const never = (): { dispose(): void } => ({ dispose: () => undefined });

describe('chooseModel', () => {
  let server: FakeOpenAiServer;
  let pick: FakeQuickPick;
  let kept: Map<string, string>;
  let saved: Record<string, unknown>;
  let prompts: string[];
  let keys: (string | undefined)[];
  const memory = new Map<string, unknown>();

  const start = async (key?: string): Promise<void> => {
    server = await FakeOpenAiServer.start({
      replies: [{ kind: 'whole', text: 'ready' }],
      models,
      ...(key !== undefined && { key }),
    });
  };
  const local = (): ModelServer[] => [{ name: 'Ollama', baseUrl: server.baseUrl }];

  const secretStorage = (): vscode.SecretStorage =>
    ({
      get: async (name: string) => kept.get(name),
      store: async (name: string, value: string) => void kept.set(name, value),
      delete: async (name: string) => void kept.delete(name),
      onDidChange: never,
    }) as unknown as vscode.SecretStorage;

  /** Opens the list, takes the row when it is there, and waits until all is done. */
  async function choose(
    servers: ModelServer[],
    row: RegExp,
    services?: ModelServer[],
    later?: TimerClock['later'],
    when = (): boolean => true,
  ): Promise<void> {
    pick = new FakeQuickPick();
    window.createQuickPick = () => pick;
    const secrets = secretStorage();
    const used = usedEndpoints({
      get: <T>(name: string) => memory.get(name) as T | undefined,
      update: async (name: string, value: unknown) => void memory.set(name, value),
    });
    const service = new ModelService(secrets, { error: () => undefined } as unknown as vscode.LogOutputChannel, '');
    const choosing = chooseModel({ models: service, secrets, used, ...(later && { later }) }, servers, services);
    let item = undefined as { label: string } | undefined;
    while (!item || !when()) {
      item = pick.items.find(({ label }) => row.test(label));
      await settled();
    }
    pick.activeItems = [item];
    pick.accept();
    await choosing;
    service.dispose();
  }

  beforeEach(() => {
    [kept, saved, prompts, keys] = [new Map(), {}, [], []];
    memory.clear();
    workspace.isTrusted = true;
    workspace.getConfiguration = () =>
      ({
        get: () => undefined,
        update: async (name: string, value: unknown) => void (saved[name] = value),
      }) as unknown as ReturnType<typeof workspace.getConfiguration>;
    window.showInputBox = async (options) => {
      const { title = '', prompt = '' } = options as { title?: string; prompt?: string };
      prompts.push(prompt);
      return title.startsWith('Address') ? server.baseUrl : keys.shift();
    };
    window.showQuickPick = async (rows) => (rows as string[])[0];
  });
  afterEach(async () => {
    await server.stop();
    resetVscode();
  });

  it('offers what runs on this machine, and uses it without asking for a key', async () => {
    await start();
    await choose(local(), /small/);
    assert.ok(!pick.items.some(({ label }) => label.includes('embed')), 'what cannot chat is no choice');
    assert.deepEqual(saved, { provider: 'endpoint', baseUrl: server.baseUrl, name: 'small' });
    assert.deepEqual(prompts, []);
  });

  it('says how much a model of this machine takes, where its server does', async () => {
    server = await FakeOpenAiServer.start({
      replies: [{ kind: 'whole', text: 'ready' }],
      models: { object: 'list', data: [{ id: 'small', max_context_length: 32_768 }, { id: 'untold' }] },
    });
    await choose(local(), /small/);
    assert.deepEqual(
      pick.items.filter(({ label }) => label.startsWith('$(vm)')).map(({ description }) => description),
      ['Ollama · 32,768 tokens', 'Ollama'],
    );
  });

  it("offers the editor's own models first, and keeps which of them answers", async () => {
    await start();
    const tiny = {
      id: 'tiny',
      vendor: 'fake',
      family: 'tiny',
      name: 'Tiny',
      maxInputTokens: 4096,
      countTokens: async () => 1,
      sendRequest: async () => Promise.reject(new Error('not asked here')),
    };
    lm.selectChatModels = async () => [tiny];
    await choose(local(), /Tiny/);
    assert.deepEqual(
      pick.items.slice(0, 2).map(({ label }) => label),
      ['Offered by this editor', 'Tiny'],
    );
    assert.deepEqual(saved, { provider: 'editor', editorModel: 'fake/tiny' });
  });

  it('offers what was used before, with its address', async () => {
    await start();
    await choose(local(), /small/);
    saved = {};
    await choose([], /\$\(history\) small/);
    assert.deepEqual(saved, { provider: 'endpoint', baseUrl: server.baseUrl, name: 'small' });
  });

  it('says what the model takes once it has answered', async () => {
    server = await FakeOpenAiServer.start({
      replies: [{ kind: 'whole', text: 'ready' }],
      models: { object: 'list', data: [{ id: 'small', context_length: 16_384 }] },
    });
    const told: unknown[] = [];
    window.setStatusBarMessage = (text) => {
      told.push(text);
      return never();
    };
    await choose(local(), /small/);
    assert.deepEqual(told, ['$(check) small answers; it takes 16,384 tokens']);
  });

  it('offers well-known services by name, and asks for nothing but the key', async () => {
    await start('right');
    keys = ['right'];
    const services: ModelServer[] = [{ name: 'Some Service', baseUrl: server.baseUrl }];
    await choose([], /Some Service/, services);
    assert.equal(
      pick.items.find(({ label }) => label.includes('Some Service'))?.description,
      new URL(server.baseUrl).host,
    );
    assert.equal(prompts.length, 1);
    assert.deepEqual(saved, { provider: 'endpoint', baseUrl: server.baseUrl, name: 'small' });
  });

  it('asks again for a key that is refused, and keeps nothing before one is accepted', async () => {
    await start('right');
    keys = ['wrong', 'right'];
    const asked = window.showInputBox;
    window.showInputBox = async (...given) => {
      assert.deepEqual([saved, kept.size], [{}, 0]);
      return asked(...given);
    };
    await choose([], /OpenAI-compatible/);
    assert.match(prompts.at(-1) ?? '', /does not accept the stored API key/);
    assert.deepEqual([...kept.values()], ['right']);
    assert.equal(saved['name'], 'small');
  });

  it('changes nothing for who goes back instead of giving another key', async () => {
    await start('right');
    keys = ['wrong', undefined];
    await choose([], /OpenAI-compatible/);
    assert.deepEqual([saved, kept.size, memory.size], [{}, 0, 0]);
  });

  it('says what a model of Ollama or LM Studio takes, which their list of models does not', async () => {
    server = await FakeOpenAiServer.start({
      replies: [{ kind: 'whole', text: 'ready' }],
      models: { object: 'list', data: [{ id: 'small' }] },
      routes: { '/api/show': { parameters: 'num_ctx 16384', model_info: { 'llama.context_length': 131_072 } } },
    });
    const studio = await FakeOpenAiServer.start({
      replies: [],
      models: { object: 'list', data: [{ id: 'lent' }] },
      routes: { '/api/v0/models': { data: [{ id: 'lent', loaded_context_length: 8_192 }] } },
    });
    const servers = [...local(), { name: 'LM Studio', baseUrl: studio.baseUrl }];
    const rows = (): string[] =>
      pick.items.flatMap(({ label, description = '' }) => (label.startsWith('$(vm)') ? [description] : []));
    await choose(servers, /No language model/, undefined, undefined, () => rows().join().split('tokens').length > 2);
    assert.deepEqual(rows().sort(), ['LM Studio · 8,192 tokens', 'Ollama · 16,384 tokens']);
    await choose(servers, /small/);
    await choose([], /\$\(history\) small/);
    const before = pick.items.find(({ label }) => label === '$(history) small');
    assert.equal(before?.description, `${server.baseUrl} · 16,384 tokens`, 'it is remembered');
    await studio.stop();
  });

  it('looks for nothing before the list is open, and asks this machine for nothing but its models', async () => {
    await start();
    const isModels = ({ path }: { path: string }): boolean => /^\/(?:v1\/models|props|api\/\S+)/.test(path);
    let asked = -1;
    const waiting = new Promise<void>((resolve) => {
      lm.selectChatModels = async () => {
        // The list waits for the editor's models, and a search that did not wait for the list would be here by then.
        await new Promise((later) => setTimeout(later, 100));
        asked = server.requests.length;
        resolve();
        return [];
      };
    });
    await choose(local(), /No language model/, undefined, undefined, () => server.requests.length > 0);
    await waiting;
    assert.equal(asked, 0);
    assert.deepEqual(saved, { provider: 'none' });
    assert.ok(server.requests.length > 0 && server.requests.every(isModels));
  });

  it('knows the usual ports of this machine, and services by name', () => {
    assert.deepEqual(
      LOCAL_SERVERS.map(({ name, baseUrl }) => [name, baseUrl]),
      [
        ['Ollama', 'http://127.0.0.1:11434/v1'],
        ['LM Studio', 'http://127.0.0.1:1234/v1'],
        ['llama.cpp', 'http://127.0.0.1:8080/v1'],
      ],
    );
    assert.deepEqual(
      SERVICES.map(({ name, baseUrl }) => [name, new URL(baseUrl).host]),
      [
        ['OpenAI', 'api.openai.com'],
        ['OpenRouter', 'openrouter.ai'],
        ['Mistral', 'api.mistral.ai'],
        ['Groq', 'api.groq.com'],
      ],
    );
  });

  describe('a model that says nothing while it is tried', () => {
    let told: string[];
    /** Calls back soon, in place of after the milliseconds that the test is asked to wait for. */
    const atOnce =
      (waited: number[]): TimerClock['later'] =>
      (milliseconds, callback) => {
        waited.push(milliseconds);
        const timer = setTimeout(callback, 20);
        return () => clearTimeout(timer);
      };

    /** Chooses it, and does this when it is told that it is silent. */
    async function chooseSilent(answer: () => string | undefined): Promise<number[]> {
      server = await FakeOpenAiServer.start({ replies: [{ kind: 'hang', after: '' }], models });
      told = [];
      window.showWarningMessage = async (text, ...buttons) => {
        told.push([text, ...buttons].join(' | '));
        return answer();
      };
      const waited: number[] = [];
      await choose(local(), /small/, undefined, atOnce(waited));
      return waited;
    }

    it('is named within seconds, and may be taken all the same', async () => {
      assert.deepEqual(await chooseSilent(() => 'Use It All the Same'), [8000]);
      assert.deepEqual(told, [
        'small has sent nothing for 8 seconds. It may still be loading. | Wait | Use It All the Same',
      ]);
      assert.deepEqual(saved, { provider: 'endpoint', baseUrl: server.baseUrl, name: 'small' });
      await server.closed();
    });

    it('is not chosen by who cancels, and its call ends', async () => {
      await chooseSilent(() => {
        setTimeout(() => progress.cancel(), 20);
        return 'Wait';
      });
      assert.deepEqual([saved, memory.size, told.length], [{}, 0, 1]);
      await server.closed();
    });

    it("of the editor's is not chosen by who cancels either", async () => {
      await start();
      const silent = {
        id: 'mute',
        vendor: 'fake',
        family: 'mute',
        name: 'Mute',
        maxInputTokens: 4096,
        countTokens: async () => 1,
        sendRequest: async () => new Promise(() => undefined),
      };
      lm.selectChatModels = async () => [silent];
      window.showWarningMessage = async () => {
        progress.cancel();
        return undefined;
      };
      await choose([], /Mute/, undefined, atOnce([]));
      assert.deepEqual(saved, {});
    });

    it('is not named where it speaks in time', async () => {
      await start();
      window.showWarningMessage = async () => assert.fail('it has answered');
      await choose(local(), /small/, undefined, () => () => undefined);
      assert.equal(saved['name'], 'small');
    });
  });

  describe('a new key', () => {
    const set = { 'model.baseUrl': '', 'model.name': 'small' };
    let warnings: string[];

    /** Asks for the key of the address that is set, and answers a warning by this button. */
    async function change(address: string, button?: string): Promise<void> {
      const settings: Record<string, string> = { ...set, 'model.baseUrl': address };
      workspace.getConfiguration = () =>
        ({ get: (name: string, otherwise?: unknown) => settings[name] ?? otherwise }) as unknown as ReturnType<
          typeof workspace.getConfiguration
        >;
      warnings = [];
      window.showWarningMessage = async (text) => {
        assert.equal(kept.size, 0, 'nothing is kept while it is asked');
        warnings.push(String(text));
        return button;
      };
      const secrets = secretStorage();
      const service = new ModelService(secrets, { error: () => undefined } as unknown as vscode.LogOutputChannel, '');
      await setApiKey({ models: service, secrets });
      service.dispose();
    }

    it('is tried with the model that is set, and asked for again, before it is kept', async () => {
      await start('right');
      keys = ['wrong', 'right'];
      const asked = window.showInputBox;
      window.showInputBox = async (...given) => {
        assert.equal(kept.size, 0);
        return asked(...given);
      };
      await change(server.baseUrl);
      assert.match(prompts.at(-1) ?? '', /does not accept the stored API key/);
      assert.deepEqual([[...kept.values()], warnings], [['right'], []]);
      assert.ok(
        server.requests.every(({ path, body }) => path === '/v1/chat/completions' && body['model'] === 'small'),
      );
    });

    it('is not kept for who goes back', async () => {
      await start('right');
      keys = ['wrong', undefined];
      await change(server.baseUrl);
      assert.equal(kept.size, 0);
    });

    it('is kept untried only for who says so, where the endpoint cannot be reached', async () => {
      await start();
      const gone = server.baseUrl;
      await server.stop();
      keys = ['new', 'new'];
      await change(gone);
      assert.match(
        warnings[0] ?? '',
        /^Whether .* accepts this key is not known, and nothing is saved: Nothing answers/,
      );
      assert.equal(kept.size, 0);
      await change(gone, 'Save It Untried');
      assert.deepEqual([...kept.values()], ['new']);
      server = await FakeOpenAiServer.start({ replies: [] });
    });

    it('is found where the address was written with spaces around it', async () => {
      await start('right');
      keys = ['right'];
      await change(` ${server.baseUrl}/ `);
      assert.deepEqual([...kept.keys()], [`hoptrail.apiKey:${server.baseUrl}`]);
    });

    it('that is empty takes away what is kept, and asks nobody', async () => {
      await start('right');
      kept.set(`hoptrail.apiKey:${server.baseUrl}`, 'old');
      keys = [''];
      await change(server.baseUrl);
      assert.deepEqual([kept.size, server.requests.length], [0, 0]);
    });
  });
});
