import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { neighboursIn } from '../../../../src/search/references/neighbours.ts';
import { reasonInWords } from '../../../../src/search/domain/reason-words.ts';
import { fileKindOf } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { explainHop } from '../../../../src/search/retrieval/chain/hop-reason.ts';
import { PassageProfiles } from '../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../src/search/retrieval/question.ts';
import { graphOf, indexOf } from './program-of.ts';

const FILES = {
  'create.ts': "export function createUser() {\n  emitter.emit('user.created', 1);\n}",
  'mail.ts': "export function listen() {\n  emitter.on('user.created', send);\n}",
  'server.ts': 'export function serve() {\n  return process.env.SHOP_PORT;\n}',
  'limits.py': 'def size(config):\n    return config.get("cache.size")\n',
  '.env.example': '# where it listens\nSHOP_PORT=8080\n',
  'config.yaml': 'log: warn\ncache:\n  size: 100\n',
};

describe('keys as edges', () => {
  it('join the files that name an event or an environment variable, and those that give it a value', async () => {
    const neighbours = neighboursIn(await graphOf(FILES));
    const found = (id: string): string[] =>
      neighbours.of(id).map(({ passageId, edge, outward }) => {
        const way = outward ? 'outward' : 'inward';
        return `${edge.relation} ${edge.to.name} ${way} ${passageId}`;
      });
    assert.deepEqual(Object.keys(FILES).map(found), [
      ['keys user.created outward mail.ts'],
      ['keys user.created outward create.ts'],
      ['reads SHOP_PORT outward .env.example'],
      ['reads cache.size outward config.yaml'],
      ['reads SHOP_PORT inward server.ts'],
      ['reads cache.size inward limits.py'],
    ]);
  });

  it('join nothing by a word that much is called by, an option, or what half of the program names', async () => {
    const users = Array.from({ length: 70 }, (_, i) => [`user${i}.ts`, "on('app.ready', run);"] as const);
    const words = Array.from(
      { length: 5 },
      (_, i) => [`word${i}.py`, 'a.add_argument("--output")\nconfig.get("name")\n'] as const,
    );
    const neighbours = neighboursIn(
      await graphOf({
        ...Object.fromEntries(users),
        ...Object.fromEntries(words),
        'app.yaml': 'app:\n  ready: true\n',
      }),
    );
    for (const id of ['user3.ts', 'word1.py', 'app.yaml']) assert.deepEqual(neighbours.of(id), [], id);
  });

  it('give the reason of a hop, with both places', async () => {
    const index = await indexOf(FILES);
    const graph = neighboursIn(await graphOf(FILES));
    const profiles = new PassageProfiles();
    const explain = async (from: string, to: string): Promise<[string, string, string]> => {
      const passages = (await index.get([from, to])).map((passage) => profiles.of(passage));
      const why = explainHop(profileQuestion('', undefined, [], 0), passages, (a, b) => graph.between(a, b));
      const [earlier = '', here = ''] = passages.map(({ passage }) => passage.text);
      const [start, end] = [why.fromSpan, why.toSpan];
      return [reasonInWords(why).text, earlier.slice(start?.start, start?.end), here.slice(end?.start, end?.end)];
    };
    assert.deepEqual(await explain('create.ts', 'mail.ts'), [
      'names the key “user.created” as does “createUser” on line 2',
      'user.created',
      'user.created',
    ]);
    assert.deepEqual(await explain('.env.example', 'server.ts'), [
      '“SHOP_PORT” is read by “serve” in server.ts on line 2',
      'SHOP_PORT',
      'SHOP_PORT',
    ]);
    assert.deepEqual(await explain('limits.py', 'config.yaml'), [
      '“size” uses “cache.size” on line 2',
      'cache.size',
      'size',
    ]);
  });

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
