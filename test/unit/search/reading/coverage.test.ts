import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { after, describe, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
import { decodeText } from '../../../../src/search/reading/text/decode-text.ts';
import { isDocument } from '../../../../src/search/reading/formats/file-formats.ts';
import {
  asRead,
  checkPassages,
  fixturesFolder,
  readAll,
  readText,
  repositoryRoot,
  sourceOver,
  type Everything,
} from './reading-harness.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

/** What people would see in the file, decoded on its own; undefined for documents. */
function textOf(uri: string): string | undefined {
  if (isDocument(decodeURIComponent(uri))) return undefined;
  const decoded = decodeText(readFileSync(fileURLToPath(uri)));
  return decoded.kind === 'text' ? decoded.text : assert.fail(`${uri} is binary but was read`);
}

function checkAll(all: Everything, fewest: number): void {
  assert.ok(all.files.length >= fewest, `only ${all.files.length} files were read`);
  assert.deepEqual(
    all.files.flatMap((read) =>
      read.fallback?.code === 'as-text' ? [`${read.file.path}: ${causeInWords(read.fallback)}`] : [],
    ),
    [],
  );
  for (const read of all.files) checkPassages(read, textOf(read.file.uri));
}

describe('every non-blank line is in exactly one passage', function () {
  this.timeout(600_000);

  it('in every fixture', async () => {
    const source = sourceOver([fixturesFolder]);
    after(() => source.close());
    const all = await readAll(source);
    assert.deepEqual(all.skipped, []);
    checkAll(all, 50);
  });

  it('in the programs and texts of this repository', async () => {
    const source = sourceOver(['src', 'webview', 'scripts', 'docs'].map((name) => path.join(repositoryRoot, name)));
    after(() => source.close());
    checkAll(await readAll(source), 100);
  });

  /** One of several; all of them take minutes. */
  const READ_HERE = ['flask.tar.gz'];

  it('in the programs of others: packages that are installed here, and one of the development set where that lies beside the repository', async () => {
    const folder = temporaryFolder();
    for (const name of ['commander', 'mocha', 'openai/lib'])
      cpSync(path.join(repositoryRoot, 'node_modules', name), path.join(folder, name), { recursive: true });
    const code = path.join(process.env.HOPTRAIL_DATA ?? path.join(repositoryRoot, '../shared/data'), 'code');
    const archives = existsSync(code) ? readdirSync(code).filter((name) => READ_HERE.includes(name)) : [];
    for (const archive of archives) execFileSync('tar', ['-xzf', path.join(code, archive), '-C', folder]);
    const source = sourceOver(readdirSync(folder).map((name) => path.join(folder, name)));
    after(() => source.close());
    checkAll(await readAll(source), 100 * (1 + archives.length));
  });
});

describe('damaged files keep the promise too', function () {
  this.timeout(120_000);
  const files = listFiles(fixturesFolder).filter((file) => !isDocument(file));
  const source = sourceOver(
    [fixturesFolder],
    {},
    { files: { list: unused, stat: unused, realPath: unused, read: async () => Buffer.from(current, 'utf8') } },
  );
  let current = '';
  after(() => source.close());

  const mutation = fc.record({
    kind: fc.constantFrom('delete', 'crlf', 'lone-cr', 'long-line', 'duplicate', 'cut', 'join', 'indent', 'open'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 12 }),
  });

  it('whatever lines are lost, joined, repeated or made endless', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        async (file, mutations) => {
          const decoded = decodeText(readFileSync(file));
          assert.equal(decoded.kind, 'text');
          current = mutations.reduce(mutate, decoded.kind === 'text' ? decoded.text : '');
          if (current.trim() === '') return;
          const read = await readText(path.relative(fixturesFolder, file), current, source);
          // A long line without blanks is what minified files look like: saying so is right as well.
          if ('reason' in read) assert.equal(read.reason, 'generated');
          else checkPassages(read, current);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('whatever text it is', async () => {
    const names = 'md txt rst adoc html json yaml toml csv py ts go c rb sh ipynb unknown'
      .split(' ')
      .map((end) => `a.${end}`);
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ maxLength: 80 }),
      fc.constantFrom(
        '',
        '# head',
        '```',
        '---',
        '[[x]]',
        '{"a": [',
        '}',
        '  - b: |',
        '"""',
        'class A {',
        'def f():',
        '====',
        '\u00a0',
        '\u2028x',
        '\u{1f600}'.repeat(30),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom('\n', '\r\n'),
        async (name, lines, end) => {
          // What is checked is cutting: a text that decodes to itself, and no binary.
          current = Buffer.from(lines.join(end), 'utf8')
            .toString('utf8')
            .replace(/[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffd]/g, '');
          if (current.trim() === '' || decodeText(Buffer.from(current)).kind === 'binary') return;
          const read = await readText(name, current, source);
          if ('reason' in read) assert.equal(read.reason, 'generated');
          else checkPassages(read, current);
        },
      ),
      { numRuns: 250 },
    );
  });
});

describe('lines longer than a passage', () => {
  it('are cut at blanks into parts that carry their columns', async () => {
    const line = Array.from({ length: 4_000 }, (_, i) => `word${i % 97}${i % 5 === 4 ? '.' : ''}`).join(' ');
    const text = `# Title\n\nbefore\n${line}\nafter`;
    const read = asRead(await readText('long.md', text));
    checkPassages(read, text);
    const parts = read.passages.filter((passage) => passage.startColumn !== undefined);
    assert.ok(parts.length > 10);
    for (const part of parts.slice(0, -1))
      assert.match(part.text, /\.$|[\s,;]$/, 'a part ends with a sentence or a word');
    assert.ok(parts.every((part) => part.startLine === 4 && part.title === 'Title'));
  });

  it('never cut a surrogate pair', async () => {
    const text = '\u{1f600}'.repeat(3_000);
    const read = asRead(await readText('faces.txt', text));
    checkPassages(read, text);
    for (const passage of read.passages) assert.equal(Buffer.from(passage.text, 'utf8').toString('utf8'), passage.text);
  });
});

async function unused(): Promise<never> {
  return assert.fail('only contents are read');
}

function mutate(text: string, mutation: { kind: string; at: number; length: number }): string {
  const lines = text.split('\n');
  const at = Math.floor(mutation.at * lines.length);
  switch (mutation.kind) {
    case 'delete':
      return lines.toSpliced(at, mutation.length).join('\n');
    case 'crlf':
      return text.replace(/\r?\n/g, '\r\n');
    case 'lone-cr':
      return lines.slice(0, at).join('\n') + '\r' + lines.slice(at).join('\n');
    case 'long-line':
      return lines.toSpliced(at, 0, 'a long line, which goes on; '.repeat(mutation.length * 40)).join('\n');
    case 'duplicate':
      return lines
        .toSpliced(at, 0, ...Array.from({ length: mutation.length * 10 }, () => lines.slice(at, at + 8)).flat())
        .join('\n');
    case 'cut':
      return text.slice(0, Math.floor(text.length * mutation.at));
    case 'join':
      return (
        lines.slice(0, at).join('\n') +
        lines.slice(at, at + mutation.length * 20).join(' ') +
        '\n' +
        lines.slice(at + mutation.length * 20).join('\n')
      );
    case 'indent':
      return lines.map((line, i) => (i >= at && i < at + mutation.length ? `      ${line}` : line)).join('\n');
    case 'open':
      return lines.toSpliced(at, 0, '/* """ {{{ [[[ ``` <!--').join('\n');
    default:
      return assert.fail(mutation.kind);
  }
}

function listFiles(folder: string): string[] {
  assert.ok(existsSync(folder));
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
