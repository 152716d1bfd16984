/** The MCP server as a client sees it: the built file on stdio, driven by the SDK's own client. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, before, describe, it } from 'mocha';
import { runHoptrail } from '../doubles/run-hoptrail.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';

interface ReferenceAnswer {
  references: { path: string; line: number; from: string; text: string }[];
  total: number;
  near: string[];
}

interface Place {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
  resource: string;
}
interface SearchResult {
  passages: Place[];
  coverage: { files: number; indexing: boolean };
}
interface ResearchResult {
  answer: string;
  abstained: boolean;
  citations: { path: string; startLine: number }[];
  trail: (Place & { why: string })[];
}

describe('the MCP server', function () {
  this.timeout(120_000);
  let home: string;
  let notes: string;
  let client: Client;

  before(async () => {
    home = temporaryFolder();
    notes = join(home, 'notes');
    mkdirSync(notes);
    for (const folder of ['incidents', 'suppliers', 'systems', 'people'])
      cpSync(join(root, 'examples', 'notes', folder), join(notes, folder), { recursive: true });
    client = await connect('mcp', notes);
  });
  async function connect(...args: string[]): Promise<Client> {
    const made = new Client({ name: 'test', version: '1' });
    await made.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, 'dist', 'cli.cjs'), ...args],
        env: { ...(process.env as Record<string, string>), XDG_CACHE_HOME: join(home, 'cache') },
        stderr: 'ignore',
      }),
    );
    return made;
  }
  after(async () => {
    await client.close();
  });

  async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result.content));
    const [said, costs] = [(result.content as { text: string }[]).at(-1)?.text ?? '', result.structuredContent];
    const { tokens } = costs as { tokens: number };
    assert.ok(said.endsWith(`About ${tokens.toLocaleString('en')} tokens.`), said);
    return result.structuredContent as T;
  }

  it('shares its index process with a question on the command line', async () => {
    await call<SearchResult>('hoptrail_search', { query: 'batteries' }); // the index is there
    const { code, out, err } = await runHoptrail(
      ['ask', notes, 'Who supplies the batteries of the masts?', '--json', '--verbose'],
      { XDG_CACHE_HOME: join(home, 'cache') },
    );
    assert.equal(code, 0, err);
    assert.match(err, /another index process keeps this index/);
    const { chain } = JSON.parse(out) as { chain: { text: string }[] };
    assert.match(chain.map(({ text }) => text).join(), /Halden Cells/);
  });

  it('offers three tools with schemas, and passages as resources', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => [tool.name, tool.inputSchema.required]),
      [
        ['hoptrail_search', ['query']],
        ['hoptrail_research', ['question']],
        ['hoptrail_references', ['symbol']],
      ],
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map((template) => template.uriTemplate),
      ['hoptrail://passage/{id}'],
    );
  });

  it('finds passages with file and line from the first call on, and says how much it saw', async () => {
    const { passages, coverage } = await call<SearchResult>('hoptrail_search', {
      query: 'Who makes the batteries? Halden Cells',
      limit: 5,
    });
    assert.ok(
      passages.some(({ path }) => path === 'suppliers/halden-cells.md'),
      JSON.stringify(passages.map(({ path }) => path)),
    );
    assert.ok(coverage.files > 10);
    const { contents } = await client.readResource({ uri: passages[0]?.resource ?? '' });
    const [content] = contents;
    assert.ok(
      content && 'text' in content && content.text.startsWith(`${passages[0]?.path}:${passages[0]?.startLine}-`),
    );
  });

  it('answers with a trail and citations, and refuses what the folder does not hold', async () => {
    const found = await call<ResearchResult>('hoptrail_research', {
      question: 'Who keeps our account with the maker of the batteries that froze in the silent weekend?',
    });
    assert.equal(found.abstained, false);
    assert.ok(
      new Set(found.trail.map(({ path }) => path)).size >= 3,
      JSON.stringify(found.trail.map(({ path }) => path)),
    );
    assert.ok(found.citations.every(({ path, startLine }) => path.endsWith('.md') && startLine > 0));
    assert.equal(
      (
        await call<ResearchResult>('hoptrail_research', {
          question: 'What did the parliament of Iceland decide about whaling quotas in 1989?',
        })
      ).abstained,
      true,
    );
  });

  it('lists who uses a symbol, and names like one that nothing defines', async () => {
    mkdirSync(join(notes, 'code'));
    writeFileSync(join(notes, 'code', 'mast.py'), 'def lower_mast():\n    pass\n\ndef storm():\n    lower_mast()\n');
    const found = await call<ReferenceAnswer>('hoptrail_references', { symbol: 'lower_mast', kind: 'calls' });
    assert.deepEqual(
      found.references.map(({ path, line, from, text }) => [path, line, from, text]),
      [['code/mast.py', 5, 'storm', 'lower_mast()']],
    );
    const way = await call<ReferenceAnswer & { route?: { found: string } }>('hoptrail_references', {
      symbol: 'storm',
      to: 'lower_mast',
    });
    assert.deepEqual([way.route?.found, way.references.map(({ line }) => line)], ['forwards', [5]]);
    const unknown = await call<ReferenceAnswer>('hoptrail_references', { symbol: 'lower_mest', paths: ['code'] });
    assert.deepEqual([unknown.total, unknown.near], [0, ['lower_mast']]);
    rmSync(join(notes, 'code'), { recursive: true });
  });

  it('takes up what has changed before it answers', async () => {
    writeFileSync(
      join(notes, 'kettle.md'),
      '# Kettle\n\nThe kettle descaler is kept behind the Quillfeather cupboard.\n',
    );
    const { passages } = await call<SearchResult>('hoptrail_search', { query: 'Quillfeather descaler' });
    assert.equal(passages[0]?.path, 'kettle.md');
    rmSync(join(notes, 'kettle.md'));
    assert.ok(
      !(await call<SearchResult>('hoptrail_search', { query: 'Quillfeather descaler' })).passages.some(
        ({ path }) => path === 'kettle.md',
      ),
    );
  });

  it('says what is wrong with an input', async () => {
    const { isError, content } = await client.callTool({ name: 'hoptrail_search', arguments: { query: '  ' } });
    assert.equal(isError, true, JSON.stringify(content));
    for (const [name, args, said] of [
      ['hoptrail_search', { query: 'batteries', path: 'people' }, /path/],
      ['hoptrail_research', { question: 'Who?', limit: 3 }, /limit/],
      [
        'hoptrail_search',
        { query: 'batteries', paths: ['nowhere'] },
        /Nothing that is indexed lies at or below.*nowhere/,
      ],
      ['hoptrail_research', { question: 'Who?', paths: ['people', 'nobody'] }, /nobody/],
    ] as const) {
      const refused = await client.callTool({ name, arguments: args });
      assert.equal(refused.isError, true, JSON.stringify(refused));
      assert.match(JSON.stringify(refused.content), said);
    }
  });

  it('looks only where it is told to, by relative and by absolute paths', async () => {
    for (const place of ['people', './people/', join(notes, 'people')]) {
      const { passages } = await call<SearchResult>('hoptrail_search', { query: 'batteries', paths: [place] });
      assert.ok(passages.length > 0 && passages.every(({ path }) => path.startsWith('people/')), place);
    }
  });

  describe('over several folders', () => {
    let both: Client;
    const folders = (): string[] => [join(home, 'both', 'systems'), join(home, 'both', 'code')];

    before(async () => {
      cpSync(join(root, 'examples', 'notes', 'systems'), folders()[0] ?? '', { recursive: true });
      mkdirSync(folders()[1] ?? '');
      writeFileSync(join(folders()[1] ?? '', 'power.py'), 'def power_system():\n    return "Halden Cells"\n');
      both = await connect('mcp', ...folders(), folders()[1] ?? '', '--folder-names', 'systems', 'program');
    });
    after(() => both.close());
    const search = async (args: object): Promise<(Place & { root: string })[]> => {
      const result = await both.callTool({ name: 'hoptrail_search', arguments: { query: 'power system', ...args } });
      assert.ok(!result.isError, JSON.stringify(result.content));
      return (result.structuredContent as { passages: (Place & { root: string })[] }).passages;
    };

    it('finds what fits best in all of them, each with its folder', async () => {
      const found = await search({});
      assert.deepEqual(new Set(found.map((passage) => passage.root)), new Set(['systems', 'program']));
      for (const { path, root: folder } of found) assert.ok(path.startsWith(`${folder}/`), path);
    });

    it('looks only in the folders that are named, by name or path', async () => {
      for (const named of ['program', folders()[1] ?? '']) {
        const found = await search({ roots: [named] });
        assert.deepEqual([...new Set(found.map(({ path }) => path))], ['program/power.py']);
      }
      assert.ok((await search({ roots: ['program', 'systems'] })).length > 1);
      assert.deepEqual(
        (await search({ roots: ['program'], paths: [join(folders()[1] ?? '', 'power.py')] })).map(({ path }) => path),
        ['program/power.py'],
      );
    });

    it('says which folders there are when one is named that is not', async () => {
      for (const [args, said] of [
        [{ roots: ['archive'] }, /no folder \\"archive\\" here.*systems.*program/],
        [{ roots: ['program'], paths: ['systems/mast-power.md'] }, /lies in none of the roots/],
      ] as const) {
        const refused = await both.callTool({ name: 'hoptrail_search', arguments: { query: 'power', ...args } });
        assert.equal(refused.isError, true);
        assert.match(JSON.stringify(refused.content), said);
      }
    });
  });
});
