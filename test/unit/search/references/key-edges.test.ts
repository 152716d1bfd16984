import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { fileKindOf } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { indexOf } from './program-of.ts';

const FILES = {
  'create.ts': "export function createUser() {\n  emitter.emit('user.created', 1);\n}",
  'mail.ts': "export function listen() {\n  emitter.on('user.created', send);\n}",
  'server.ts': 'export function serve() {\n  return process.env.SHOP_PORT;\n}',
  'limits.py': 'def size(config):\n    return config.get("cache.size")\n',
  '.env.example': '# where it listens\nSHOP_PORT=8080\n',
  'config.yaml': 'log: warn\ncache:\n  size: 100\n',
};

describe('keys as edges', () => {
  it('are listed with what gives them a value', async () => {
    const index = await indexOf(FILES);
    const list = async (
      symbol: string,
      kind: 'keys' | 'reads' | 'sets' | 'definitions' | 'uses',
    ): Promise<string[]> => {
      const { definitions, references } = await findReferences(index, { symbol, kind });
      return [
        ...definitions.map((one) => `${one.kind} ${one.path}:${one.line} ${one.text}`),
        ...references.map((one) => `${one.relation} ${one.path}:${one.line}`),
      ];
    };
    const size = 'setting config.yaml:3 size: 100';
    const port = 'setting .env.example:2 SHOP_PORT=8080';
    assert.deepEqual(await list('cache.size', 'definitions'), [size]);
    assert.deepEqual(await list('cache.size', 'reads'), [size, 'reads limits.py:2']);
    assert.deepEqual(await list('SHOP_PORT', 'keys'), [port, 'keys server.ts:2']);
    assert.deepEqual(await list('SHOP_PORT', 'uses'), [port, 'reads server.ts:2']);
    assert.deepEqual(await list('SHOP_PORT', 'sets'), [port, 'sets .env.example:2']);
    assert.deepEqual(await list('user.created', 'keys'), ['keys create.ts:2', 'keys mail.ts:2']);
  });

  it('are listed as far as tests name them', async () => {
    const index = await indexOf({
      'app.ts': "app.get('/users', list);",
      'test/users.test.ts': "it('lists', () => request(app).get('/users').expect(200));",
    });
    const { references } = await findReferences(index, { symbol: '/users', kind: 'tests' });
    assert.deepEqual(
      references.map(({ relation, path }) => `${relation} ${path}`),
      ['keys test/users.test.ts'],
    );
  });
});

describe('keys of files of settings', () => {
  const settings: Record<string, { text: string[]; keys: string[] }> = {
    'compose.yaml': {
      text: [
        'services:',
        '  web: # the shop',
        '    environment:',
        '      SHOP_PORT: 8080',
        '      # SHOP_OLD: 1',
        '    run: |',
        '      NOT_ONE: a line of text',
        '    env:',
        '    - name: SHOP_HOST',
        '      value: here',
        '    - SHOP_NAME=shop',
        '    - method: GET',
        'cacheSize: 3',
        'size: 1',
        '"shop.theme": dark',
        '---',
        'cache: [', // half-typed
        '  ttl-seconds: 3',
      ],
      keys: [
        'services.web 2',
        'services.web.environment 3',
        'SHOP_PORT 4',
        'services.web.run 6',
        'services.web.env 8',
        'SHOP_HOST 9',
        'SHOP_NAME 11',
        'cacheSize 13',
        'shop.theme 15',
        'cache.ttl-seconds 18',
      ],
    },
    'appsettings.json': {
      text: [
        '{',
        '  "shop": { "port": 8080, "hosts": [{ "inner.key": 1, "other": 2 }] },',
        '  "hoptrail.indexing": "manual", // by hand',
        '  "name": "shop",',
        '  "says": "no: \\"key: here\\"",',
        '  "shut": { "late": 1',
      ],
      keys: ['shop.port 2', 'shop.hosts 2', 'inner.key 2', 'hoptrail.indexing 3', 'shut.late 6'],
    },
    'shop.toml': {
      text: [
        'title = "shop"',
        '[tool.cache]',
        'size = 3 # lines',
        'text = """',
        'no_key = 1',
        '"""',
        '[[bin]]',
        'name = "x"',
      ],
      keys: ['tool.cache.size 3', 'tool.cache.text 4'],
    },
    'application.properties': {
      text: ['# port', 'shop.port=8080', 'shop.host: here', '! shop.old=1', 'alone=1'],
      keys: ['shop.port 2', 'shop.host 3'],
    },
    'setup.cfg': { text: ['[tool:shop]', 'lines = 3'], keys: ['tool:shop.lines 2'] },
    '.env.sample': { text: ['export SHOP_KEY="x"', "SHOP_HOST='y=z'", 'lower=1'], keys: ['SHOP_KEY 1', 'SHOP_HOST 2'] },
  };
  for (const [path, { text, keys }] of Object.entries(settings))
    it(`are told of ${path}`, async () => {
      const source = new SourceText(text.join('\n'));
      const { language, format } = fileKindOf(path);
      assert.ok(!('extract' in format));
      const { references } = await format.read(source, path, { language, code: undefined as never });
      assert.deepEqual(
        references?.definitions.map(({ kind, name, line }) => (kind === 'setting' ? `${name} ${line}` : kind)),
        keys,
      );
    });

  it('are none of a file that holds data', async () => {
    const { format } = fileKindOf('data.json');
    assert.ok(!('extract' in format));
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`key.${i}`, i])));
    const read = await format.read(new SourceText(text), 'data.json', { language: 'json', code: undefined as never });
    assert.equal(read.references, undefined);
  });
});
