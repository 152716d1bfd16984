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

interface Hit {
  path: string;
  startLine: number;
  endLine: number;
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
    return result.structuredContent as T;
  }

  it('answers beside a question on the command line, from the same index', async () => {
    await call<{ hits: Hit[] }>('search', { query: 'batteries' }); // the index is there
    const { code, out, err } = await runHoptrail(
      ['ask', notes, 'Who supplies the batteries of the masts?', '--json', '--verbose'],
      { XDG_CACHE_HOME: join(home, 'cache') },
    );
    assert.equal(code, 0, err);
    const { chain } = JSON.parse(out) as { chain: { text: string }[] };
    assert.match(chain.map(({ text }) => text).join(), /Halden Cells/);
  });

  it('offers the tools of the research loop and ask', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => [tool.name, tool.inputSchema.required ?? [], tool.annotations?.readOnlyHint]),
      [
        ['search', ['query'], true],
        ['read', ['path'], true],
        ['references', ['symbol'], true],
        ['list', ['glob'], true],
        ['ask', ['question'], true],
      ],
    );
  });

  it('finds passages with file and lines from the first call on, and reads around them', async () => {
    const { hits } = await call<{ hits: Hit[] }>('search', {
      query: 'Who makes the batteries? Halden Cells',
      limit: 5,
    });
    const hit = hits.find(({ path }) => path === 'suppliers/halden-cells.md');
    assert.ok(hit && hit.startLine >= 1 && hit.endLine >= hit.startLine, JSON.stringify(hits));
    const { content } = await client.callTool({ name: 'read', arguments: { path: hit.path, from: 1, to: 3 } });
    assert.match((content as { text: string }[])[0]?.text ?? '', /^suppliers\/halden-cells\.md:1-3.*\n1\| /);
    const { files } = await call<{ files: string[] }>('list', { glob: 'people/**' });
    assert.ok(files.length > 0 && files.every((path) => path.startsWith('people/')));
  });

  it('answers with cited lines, and refuses what the folder does not hold', async () => {
    const found = await call<{ abstained: boolean; citations: Hit[] }>('ask', {
      question: 'Who keeps our account with the maker of the batteries that froze in the silent weekend?',
    });
    assert.equal(found.abstained, false);
    assert.ok(found.citations.length > 0);
    assert.ok(found.citations.every(({ path, startLine }) => path.endsWith('.md') && startLine > 0));
    const question = 'What did the parliament of Iceland decide about whaling quotas in 1989?';
    assert.equal((await call<{ abstained: boolean }>('ask', { question })).abstained, true);
  });

  it('takes up changes before it answers: a new program and its references, a note that comes and goes', async () => {
    mkdirSync(join(notes, 'code'));
    writeFileSync(join(notes, 'code', 'mast.py'), 'def lower_mast():\n    pass\n\ndef storm():\n    lower_mast()\n');
    const found = await call<{ references: { path: string; line: number; from: string }[] }>('references', {
      symbol: 'lower_mast',
      kind: 'calls',
    });
    assert.deepEqual(
      found.references.map(({ path, line, from }) => [path, line, from]),
      [['code/mast.py', 5, 'storm']],
    );
    rmSync(join(notes, 'code'), { recursive: true });
    writeFileSync(join(notes, 'kettle.md'), '# Kettle\n\nThe descaler is kept behind the Quillfeather cupboard.\n');
    const paths = async (): Promise<string[]> =>
      (await call<{ hits: Hit[] }>('search', { query: 'Quillfeather descaler' })).hits.map(({ path }) => path);
    assert.equal((await paths())[0], 'kettle.md');
    rmSync(join(notes, 'kettle.md'));
    assert.ok(!(await paths()).includes('kettle.md'));
  });

  it('says what is wrong with an input', async () => {
    for (const [name, args, said] of [
      ['search', { query: '  ' }, /query/],
      ['search', { query: 'batteries', paths: 'people' }, /paths/],
      ['ask', { question: 'Who?', limit: 3 }, /limit/],
      ['search', { query: 'batteries', folder: 'nowhere' }, /Nothing that is indexed lies at or below.*nowhere/],
      ['read', { path: 'nowhere.md' }, /nowhere\.md/],
      ['read', { path: '/etc/passwd' }, /passwd/],
    ] as const) {
      const refused = await client.callTool({ name, arguments: args });
      assert.equal(refused.isError, true, JSON.stringify(refused));
      assert.match(JSON.stringify(refused.content), said);
    }
  });

  it('looks only where it is told to, by relative and by absolute paths', async () => {
    for (const folder of ['people', './people/', join(notes, 'people')]) {
      const { hits } = await call<{ hits: Hit[] }>('search', { query: 'batteries', folder });
      assert.ok(hits.length > 0 && hits.every(({ path }) => path.startsWith('people/')), folder);
    }
  });

  it('serves several folders, each by its name', async () => {
    const [systems, code] = [join(home, 'both', 'systems'), join(home, 'both', 'code')];
    cpSync(join(root, 'examples', 'notes', 'systems'), systems, { recursive: true });
    mkdirSync(code);
    writeFileSync(join(code, 'power.py'), 'def power_system():\n    return "Halden Cells"\n');
    const both = await connect('mcp', systems, code, code, '--folder-names', 'systems', 'program');
    const search = async (args: object): Promise<string[]> => {
      const result = await both.callTool({ name: 'search', arguments: { query: 'power system', ...args } });
      assert.ok(!result.isError, JSON.stringify(result.content));
      return (result.structuredContent as { hits: Hit[] }).hits.map(({ path }) => path);
    };
    const folders = (paths: string[]): string[] => [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].sort();
    assert.deepEqual(folders(await search({})), ['program', 'systems']);
    for (const folder of ['program', code, join(code, 'power.py')])
      assert.deepEqual(await search({ folder }), ['program/power.py']);
    await both.close();
  });
});
