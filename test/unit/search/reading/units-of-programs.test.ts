import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('units of programs', () => {
  it('know the signature around them, and doc comments what they are about', async () => {
    const program = text(
      'import { Cron } from "croner";',
      '',
      '/** How long a retry waits. */',
      'export const retryDelay = 500; // milliseconds',
      '',
      'export const defaults = {',
      '  dir: "out",',
      '  prerender: {',
      '    retry: 3,',
      '    routes: [],',
      '    crawl: false,',
      '  },',
      '};',
      '',
      '// Runs a task. It may throw.',
      'export async function runTask(',
      '  name: string,',
      '  context = {},',
      ') {',
      '  if (!(name in tasks)) {',
      '    throw createError({ message: `Task ${name} is not available!`, statusCode: 404 });',
      '  }',
      '  return tasks[name].run(context);',
      '}',
    );
    const run = 'export async function runTask( name: string, context = {}, )';
    assert.deepEqual(
      await unitsOf('src/task.ts', program),
      [
        'import import { Cron } from "croner";',
        'comment {export const retryDelay = 500} /** How long a retry waits. */',
        'constant export const retryDelay = 500; // milliseconds',
        'signature export const defaults = {',
        'default {export const defaults} dir: "out"',
        'default {export const defaults} prerender: {',
        'default {export const defaults › prerender} retry: 3',
        'default {export const defaults › prerender} routes: []',
        'default {export const defaults › prerender} crawl: false',
        `comment {${run}} // Runs a task. It may throw.`,
        'signature export async function runTask(\n  name: string,\n  context = {},\n) {',
        `statement {${run}} if (!(name in tasks)) {\n` +
          '    throw createError({ message: `Task ${name} is not available!`, statusCode: 404 });\n  }',
        `statement {${run}} return tasks[name].run(context);`,
      ].map((unit) => (unit.includes('throw createError') ? unit.replace('statement', 'error') : unit)),
    );
  });

  it('of Ruby and C take no comment into the signature', async () => {
    const ruby = text(
      'class Berths',
      '  # How many boats lie here.',
      '  def assign(boat)',
      '    add(boat)',
      '    ring',
      '  end',
      'end',
    );
    assert.deepEqual(await unitsOf('berths.rb', ruby), [
      'signature class Berths',
      'comment {class Berths › def assign(boat)} # How many boats lie here.',
      'signature {class Berths} def assign(boat)\n    add(boat)\n    ring\n  end',
    ]);
    const python = text(
      '@cached',
      'def merge(first, second=5):',
      '    """Merges two. Never three."""',
      ...['a', 'b', 'c'].map((x) => `    log(${x})`),
    );
    assert.deepEqual(await unitsOf('merge.py', python), [
      'statement {def merge(first, second=5)} @cached',
      'signature def merge(first, second=5):',
      'comment {def merge(first, second=5)} """Merges two. Never three."""',
      'statement {def merge(first, second=5)} log(a)',
      'statement {def merge(first, second=5)} log(b)',
      'statement {def merge(first, second=5)} log(c)',
    ]);
  });

  it('hold every line of a chain of calls, below what opens it', async () => {
    const program = text(
      'export async function main() {',
      "  const cli = cac('port')",
      "    .option('-d, --out-dir <dir>', 'Output directory')",
      '    .action(async (files) => {',
      '      const found = files.filter(Boolean)',
      '      log(found)',
      '      log(2)',
      '      await build(found)',
      '    })',
      '}',
    );
    const units = await unitsOf('cli.ts', program);
    for (const word of ['cac(', '--out-dir', '.action', 'files.filter', 'log(found)', 'log(2)', 'build(found)'])
      assert.ok(
        units.some((unit) => unit.replace(/\{[^}]*\} /, '').includes(word)),
        `${word}: ${units.join('\n')}`,
      );
    assert.match(units.find((unit) => unit.endsWith('await build(found)')) ?? '', /\.action\(async \(files\)/);
  });

  it('hold no line twice, and lie in order', async () => {
    const files: [path: string, text: string][] = [
      [
        'a.rb',
        'def shut\n  lower\n  wait\n  again\nensure\n  if stuck?\n    ring\n    call\n    wait\n    log\n  end\nend\n',
      ],
      [
        'a.cpp',
        'void shut()\n{\n  if (stuck)\n  {\n    ring();\n    call();\n    wait();\n    log();\n    lower();\n  }\n}\n',
      ],
      [
        'A.java',
        'class A {\n  @Test\n  void f(int a) {\n    if (a == 1) {\n      g();\n      h();\n      i();\n' +
          '    } else if (a == 2) {\n      j();\n      k();\n    } else {\n      l();\n    }\n  }\n}\n',
      ],
      ['a.tf', 'resource "gate" "north" {\n  count = 3\n  notes = <<-EOT\n    Opens at high water.\n  EOT\n}\n'],
    ];
    for (const [path, said] of files) {
      const passages = await passagesOf(path, said);
      const units = passages.flatMap((passage) => passage.units ?? []);
      assert.ok(units.length > 3, path);
      assert.ok(
        units.every(({ start }, i) => start >= (units[i - 1]?.end ?? 0)),
        (await unitsOf(path, said)).join('\n'),
      );
    }
  });

  it('of a long comment are its paragraphs, tags and sentences, below their labels, without its signs', async () => {
    const long = 'The keeper rings the bell once for every vessel that has passed. '.repeat(8).trim();
    const program = text(
      '/**',
      ` * ${long}`,
      ' *',
      ' * Args:',
      ' *   slowly: half as fast',
      ' * @returns the height',
      ' */',
      'function open(options) {}',
    );
    const units = await unitsOf('open.ts', program);
    assert.equal(
      units.filter((unit) => unit.endsWith('The keeper rings the bell once for every vessel that has passed.')).length,
      8,
    );
    assert.ok(units.includes('comment {function open(options) {} › Args:} slowly: half as fast'), units.join('\n'));
    assert.ok(units.some((unit) => unit.endsWith('@returns the height')));
  });
});

describe('units of text without a grammar', () => {
  it('are below the lines that they are indented below', async () => {
    const sql = text(
      '-- Boats that lie here.',
      'CREATE TABLE boats (',
      '  id bigint PRIMARY KEY,',
      '  length numeric,',
      '  mast numeric,',
      '  owner text',
      ');',
    );
    assert.deepEqual(await unitsOf('boats.sql', sql), [
      'comment {CREATE TABLE boats} -- Boats that lie here.',
      'statement CREATE TABLE boats (',
      'statement {CREATE TABLE boats} id bigint PRIMARY KEY',
      'statement {CREATE TABLE boats} length numeric',
      'statement {CREATE TABLE boats} mast numeric',
      'statement {CREATE TABLE boats} owner text',
    ]);
    const ini = text('[remote "origin"]', 'url = a', 'fetch = b', 'tags = c', 'prune = true');
    assert.ok((await unitsOf('a.ini', ini)).includes('default {[remote "origin"]} prune = true'));
    assert.deepEqual(await unitsOf('a.css', '#main { margin: 0; }\n'), ['statement #main { margin: 0; }']);
  });

  it('title what is declared, with the comments above it', async () => {
    const body = (name: string): string[] => [
      `-- ${name} waits until the water has risen so far that the boat goes over the sill.`,
      `function Lock.${name}(boat, hours)`,
      ...Array.from({ length: 12 }, (_, i) => `  if boat.draught > depth(${i}) then wait(hours * ${i}) end`),
      'end',
      '',
    ];
    assert.deepEqual(
      (await passagesOf('lock.lua', text(...body('enter'), ...body('leave')))).map(
        ({ startLine, endLine, title }) => `${startLine}-${endLine} ${title}`,
      ),
      ['1-15 function Lock.enter(boat, hours)', '17-31 function Lock.leave(boat, hours)'],
    );
  });

  it('are read in time that grows with the text, whatever it holds', async () => {
    const deep = Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}if a then`).join('\n');
    const open = '/* a\n<<EOT\n"""\n'.repeat(20_000);
    const going = 'a \\\n'.repeat(20_000);
    const opening = 'call(\n'.repeat(20_000);
    const words = "'''\nwords\n'''\n".repeat(20_000);
    for (const said of [deep, open, going, opening, words]) assert.ok((await passagesOf('a.pl', said)).length > 0);
  });
});
