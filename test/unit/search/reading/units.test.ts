import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { headerCells } from '../../../../src/search/domain/unit.ts';
import { cutPassages } from '../../../../src/search/reading/chunk/cut-passages.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { fileKinds } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { textUnits } from '../../../../src/search/reading/units/prose-units.ts';
import { counter, repositoryRoot } from './reading-harness.ts';

const code = new CodeParser(repositoryRoot, (message) => assert.fail(message));

async function read(path: string, text: string): Promise<Passage[]> {
  const source = new SourceText(text);
  const { language, format } = fileKinds.of(path, source.text);
  assert.ok('read' in format);
  const parsed = await format.read(source, path, { language, code });
  const file = { uri: `file:///w/${path}`, path };
  return cutPassages(source, parsed, { file, language, countTokens: (each) => counter.count(each) });
}

/** `kind {context} text` of every unit; a context that stands outside of the passage is marked. */
async function unitsOf(path: string, text: string): Promise<string[]> {
  return (await read(path, text)).flatMap(({ text: own, units = [] }) =>
    units.map(({ start, end, kind, context }) => {
      const place = context?.start === undefined ? ' elsewhere' : '';
      return `${kind}${context ? ` {${context.text}${place}}` : ''} ${own.slice(start, end)}`;
    }),
  );
}

describe('units of evidence', () => {
  it('of reStructuredText are sentences, items, fields, rows with their header, and examples as they stand', async () => {
    const text = [
      '.. _lock:',
      '',
      'The lock',
      '========',
      '',
      'The lock has two gates. The keeper',
      'opens them by hand.',
      '',
      'Open it so::',
      '',
      '    gate.open(slowly=True)',
      '',
      '    gate.close()',
      '',
      '.. code-block:: java',
      '   :linenos:',
      '',
      '   queue("Tern");',
      '',
      'The steps:',
      '',
      '#. Show amber,',
      '   then wait.',
      '#. Open by hand.',
      '',
      '.. function:: wait(seconds)',
      '',
      '   Waits for a vessel.',
      '',
      '   :param seconds: for how long',
      '',
      '.. note:: Tides matter.',
      '',
      '   They turn twice a day.',
      '',
      'colour',
      '   What a lamp shows.',
      '',
      '>>> first_free()',
      '3',
      '',
      '====== ========',
      'Colour Meaning',
      '====== ========',
      'red    keep out',
      '====== ========',
      '',
      '.. nobody reads',
      '   this',
    ].join('\n');
    assert.deepEqual(await unitsOf('lock.rst', text), [
      'sentence The lock has two gates.',
      'sentence The keeper\nopens them by hand.',
      'sentence Open it so::',
      'statement {Open it so:} gate.open(slowly=True)\n\n    gate.close()',
      'statement queue("Tern");',
      'item {The steps:} Show amber,\n   then wait.',
      'item {The steps:} Open by hand.',
      'signature wait(seconds)',
      'sentence {wait(seconds)} Waits for a vessel.',
      'field {wait(seconds)} :param seconds: for how long',
      'sentence Tides matter.',
      'sentence They turn twice a day.',
      'sentence {colour} What a lamp shows.',
      'statement >>> first_free()\n3',
      'row {Colour | Meaning} red    keep out',
    ]);
  });

  it('of Markdown are sentences, fields, items with those above them, rows with their header', async () => {
    const text = [
      '---',
      'title: Suppliers',
      'layout: page',
      'owner: Ada Vuori',
      'tags:',
      '  - power',
      '---',
      '# Suppliers',
      '',
      '![logo](logo.png)',
      '',
      'See `a. B` and [v1.2. Notes](x.md). It costs 3.5 pounds.',
      '',
      '**Account number:** 461',
      '**Contact:** Mast Power',
      '',
      '> [!NOTE]',
      '> Ask before noon.',
      '',
      'Opening hours:',
      '',
      '- Weekdays',
      '  - until 17:00, on the quay',
      '- [Sundays](sunday.md)',
      '',
      '| Plan | Price | Term |',
      '|---|--:|---|',
      '| Basic | 12 EUR | 36 months |',
      '| Big | 40 EUR | |',
      '',
      'Run this:',
      '',
      '```sh',
      'npm ci && npm test',
      '```',
    ].join('\n');
    assert.deepEqual(await unitsOf('notes/suppliers.md', text), [
      'field owner: Ada Vuori',
      'field tags:\n  - power',
      'sentence See `a. B` and [v1.2. Notes](x.md).',
      'sentence It costs 3.5 pounds.',
      'field **Account number:** 461',
      'field **Contact:** Mast Power',
      'sentence Ask before noon.',
      'item {Opening hours:} Weekdays',
      'item {Opening hours: › Weekdays} until 17:00, on the quay',
      'item {Opening hours:} [Sundays](sunday.md)',
      'row {Plan | Price | Term} | Basic | 12 EUR | 36 months |',
      'row {Plan | Price | Term} | Big | 40 EUR | |',
      'statement {Run this:} npm ci && npm test',
    ]);
  });

  it('of a paragraph with a heading of its own know it, after the first as its context', async () => {
    const text =
      '# Votes\n\n**Quorum.** All keepers vote. A vote needs half of them. **Not** the guests.\n\n**Bold** words. And more.\n';
    assert.deepEqual(await unitsOf('votes.md', text), [
      'sentence **Quorum.** All keepers vote.',
      'sentence {Quorum} A vote needs half of them.',
      'sentence {Quorum} **Not** the guests.',
      'sentence **Bold** words.',
      'sentence And more.',
    ]);
  });

  it('of Markdown know the name of a program that is their heading, and asides any heading', async () => {
    const text = [
      '## The gate',
      '',
      'Default: `closed`.',
      '',
      'The gate is high.',
      '',
      '### <a name="gate.timeout"></a>`gate.timeout`',
      '',
      '**Type:** number',
      '',
      'How long the gate stays open.',
      '',
      '- Never so at night.',
      '',
      'Either of:',
      '',
      '- `fast`',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('gate.md', text), [
      'field {The gate} Default: `closed`.',
      'sentence The gate is high.',
      'field {gate.timeout} **Type:** number',
      'sentence {gate.timeout} How long the gate stays open.',
      'item {gate.timeout} Never so at night.',
      'item {gate.timeout › Either of:} `fast`',
    ]);
  });

  it('of a long item know the term that it begins with', async () => {
    const term = '`timeout` (number) - how long the keeper waits for vessels that have come before the bell was rung.';
    const more =
      'It is not meant for those that come behind, nor for any that anchor in the outer basin, and it can be ended at ' +
      'any time by hand where the harbour master says so, or by the flood, which nobody can hold back. ' +
      'Those that wait are told by lamp.';
    const text = `- ${term} ${more} Defaults to 5 minutes.\n`;
    const units = await unitsOf('gate.md', text);
    assert.equal(units[0], `item ${term}`);
    assert.equal(units.at(-1), 'item {`timeout`} Defaults to 5 minutes.');
  });

  it('of Markdown are never shown below half a link', async () => {
    const address = `https://example.org/open?${'i=33qlfie6ep&'.repeat(12)}`;
    const items = [`- [the keeper’s account](${address}) is the usual one.`, '  - It may read, and nothing else.'];
    assert.deepEqual((await unitsOf('accounts.md', [...items, ''].join('\n'))).slice(1), [
      'item {the keeper’s account is the usual one.} It may read, and nothing else.',
    ]);
  });

  it('of Markdown with directives know what these name, and hold none of their signs', async () => {
    const text = [
      '# Gates',
      '',
      '::field-group',
      '  ::field{name="slack" type="number"}',
      '    Centimetres left open. Defaults to 4.',
      '  ::',
      '  ::field{name="keeper()" type="() => string"}',
      '    Who opens it.',
      '  ::',
      '::',
      '',
      ':::tip Mind the tide',
      '',
      'Open at low water.',
      '',
      ':::',
      '',
      ':read-more{to="/locks"}',
      '',
      'Note: the gates are old.',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('gates.md', text), [
      'sentence {slack} Centimetres left open.',
      'sentence {slack} Defaults to 4.',
      'sentence {keeper()} Who opens it.',
      'sentence {Mind the tide} Open at low water.',
      'field Note: the gates are old.',
    ]);
  });

  it('of a long table keep the header that stands in another passage', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `| Member number ${i} | @member${i} | ${i + 1}-02-2023 |`);
    const passages = await read(
      'owners.md',
      ['# Owners', '', '| Name | Handle | Since |', '|---|---|---|', ...rows].join('\n'),
    );
    assert.ok(passages.length > 2);
    const last = passages.at(-1)?.units ?? [];
    assert.deepEqual(last.at(-1)?.context, { text: 'Name | Handle | Since' });
    const all = passages.flatMap(({ units }) => units ?? []);
    assert.equal(all.filter(({ kind }) => kind === 'row').length, rows.length);
    const [header] = all;
    const { text = '' } = passages[0] ?? {};
    assert.equal(text.slice(header?.context?.start, header?.context?.end), '| Name | Handle | Since |');
  });

  it('of lists of links alone are told by their heading, and other links are none', async () => {
    assert.deepEqual(
      await unitsOf('repos.md', '# Repositories of ours\n\n- [a/trop](https://x.y/trop)\n\n[Home](index.md)\n'),
      ['item {Repositories of ours} [a/trop](https://x.y/trop)'],
    );
  });

  it('of code know the signature around them, and doc comments what they are about', async () => {
    const text = [
      'import { Cron } from "croner";',
      '',
      '/** How long a retry waits. */',
      'export const retryDelay = 500;',
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
    ].join('\n');
    assert.deepEqual(await unitsOf('src/task.ts', text), [
      'import import { Cron } from "croner";',
      'comment {export const retryDelay = 500} /** How long a retry waits. */',
      'constant export const retryDelay = 500;',
      'signature export const defaults = {',
      'default {export const defaults} dir: "out"',
      'default {export const defaults} prerender: {',
      'default {export const defaults › prerender} retry: 3',
      'default {export const defaults › prerender} routes: []',
      'default {export const defaults › prerender} crawl: false',
      'comment {export async function runTask( name: string, context = {}, )} // Runs a task. It may throw.',
      'signature export async function runTask(\n  name: string,\n  context = {},\n) {',
      'error {export async function runTask( name: string, context = {}, )} if (!(name in tasks)) {\n    throw createError({ message: `Task ${name} is not available!`, statusCode: 404 });\n  }',
      'statement {export async function runTask( name: string, context = {}, )} return tasks[name].run(context);',
    ]);
  });

  it('of a long comment are its paragraphs, tags, items and, where these are long, sentences, without its signs', async () => {
    const long =
      'The keeper of the outer gate rings the bell once for every vessel that has passed, and twice for a tug.';
    const text = [
      '/**',
      ' * Opens the gate. Options:',
      ' * * `slowly` - half as fast',
      ' * - `bell` - rings',
      ' *   the bell',
      ' *',
      ` * ${long}`,
      ` * ${long.replace('once', 'thrice')} ${long.replace('once', 'never')} ${long.replace('once', 'seldom')}`,
      ' * @returns the height',
      ' */',
      'function open(options) {',
      '  return raise(options, 5);',
      '}',
      '',
    ].join('\n');
    const about = 'function open(options)';
    assert.deepEqual((await unitsOf('gate.js', text)).slice(0, 8), [
      `comment {${about}} Opens the gate. Options:`,
      `comment {${about} › Opens the gate. Options:} * \`slowly\` - half as fast`,
      `comment {${about} › Opens the gate. Options:} - \`bell\` - rings\n *   the bell`,
      `comment {${about}} ${long}`,
      `comment {${about}} ${long.replace('once', 'thrice')}`,
      `comment {${about}} ${long.replace('once', 'never')}`,
      `comment {${about}} ${long.replace('once', 'seldom')}`,
      `comment {${about}} @returns the height`,
    ]);
    const python = `def wait(hours):\n    """Waits. ${long}\n\n    Args:\n        hours: ${long}\n          ${long}\n          ${long}\n        bell (bool): ${long}\n    """\n    return hours\n`;
    const units = await unitsOf('gate.py', python);
    assert.ok(units.includes(`comment {def wait(hours)} bell (bool): ${long}`), units.join('\n'));
    assert.ok(units.includes(`comment {def wait(hours)} Waits. ${long}`), units.join('\n'));
  });

  it('of Python see doc strings, what is raised, and the bodies of long functions', async () => {
    const text = [
      'TIMEOUT = 30',
      '',
      '@cached',
      'def merge(first, second=5):',
      '    """Merges two. Never three."""',
      '    if first == second:',
      '        raise ValueError("both are the same")',
      '    log.info("merged %s", first)',
      '    return first + second',
    ].join('\n');
    const head = '{def merge(first, second=5)}';
    assert.deepEqual(await unitsOf('merge.py', text), [
      'constant TIMEOUT = 30',
      'statement {def merge(first, second=5)} @cached',
      'signature def merge(first, second=5):',
      `comment ${head} """Merges two. Never three."""`,
      `error ${head} if first == second:\n        raise ValueError("both are the same")`,
      `statement ${head} log.info("merged %s", first)`,
      `statement ${head} return first + second`,
    ]);
  });

  it('of data are lines under the keys that lead to them; of CSV rows under their columns', async () => {
    assert.deepEqual(
      await unitsOf('ci.yaml', 'on: push\njobs:\n  lint:\n    runs-on: linux\n    steps:\n      - run: make\n'),
      ['field on: push', 'field {jobs › lint} runs-on: linux', 'field {jobs › lint › steps} - run: make'],
    );
    assert.deepEqual(await unitsOf('a.json', '{\n  "name": "x",\n  "engines": {\n    "node": ">=20"\n  }\n}\n'), [
      'field "name": "x",',
      'field {engines} "node": ">=20"',
    ]);
    assert.deepEqual(await unitsOf('t.csv', 'berth,price\nNorth,"1,200"\nSouth,9\n'), [
      'row {berth | price} North,"1,200"',
      'row {berth | price} South,9',
    ]);
  });

  it('of HTML leave out scripts and headings, and read rows, items and definitions', async () => {
    const text = [
      '<html><head><title>Help</title><script>let a. B;</script></head><body>',
      '<h1>Quay</h1>',
      '<p>The quay is <b>open</b>. It shuts at six.</p>',
      '<ul><li>Ropes<ul><li>10 m</li></ul></li></ul>',
      '<dl><dt>VHF</dt><dd>channel 16</dd></dl>',
      '<table><tr><th>Berth</th><th>Depth</th></tr><tr><td>North</td><td>4 m</td></tr></table>',
      '</body></html>',
    ].join('\n');
    assert.deepEqual(await unitsOf('help.html', text), [
      'sentence The quay is <b>open</b>.',
      'sentence It shuts at six.',
      'item Ropes',
      'item {Ropes} 10 m',
      'field {VHF} channel 16',
      'row {Berth | Depth} <tr><td>North</td><td>4 m</td></tr>',
    ]);
  });

  it('of HTML are no links alone, but for a list below its heading', async () => {
    const item = (name: string): string => `<li><a href="/${name}.html">${name} page</a></li>`;
    const list = (...names: string[]): string => `<ul>${names.map(item).join('')}</ul>`;
    assert.deepEqual(await unitsOf('nav.html', `${list('Quay', 'Ropes')}<p><a href="/">Home</a></p>`), []);
    const page = `<h2>Keepers <b>of ours</b></h2>${list('Mara')}<p>See <a href="/x">the log</a>.</p><ul><li>Ropes ${list('Long')}</li></ul>`;
    assert.deepEqual(await unitsOf('page.html', page), [
      'item {Keepers of ours} Mara page',
      'sentence See <a href="/x">the log</a>.',
      'item Ropes',
      'item {Ropes} Long page',
    ]);
  });

  it('keep the place of an empty header cell, in Markdown and in HTML', async () => {
    const html =
      '<table><tr><th></th><th>Low</th><th></th><th>High</th></tr><tr><td>North</td><td>4 m</td></tr></table>';
    assert.deepEqual(await unitsOf('a.html', html), ['row {| Low | | High} <tr><td>North</td><td>4 m</td></tr>']);
    const markdown = '| | Low | | High |\n|---|---|---|---|\n| North | 4 m | | 9 m |\n';
    assert.deepEqual(await unitsOf('a.md', markdown), ['row {| Low | | High} | North | 4 m | | 9 m |']);
    assert.deepEqual(headerCells('| Low | | High'), ['', 'Low', '', 'High']);
    assert.deepEqual(headerCells('Plan | a|b |'), ['Plan', 'a|b', '']);
  });

  it('of text that nothing is known about are its sentences, items and fields, or its lines', () => {
    const text = '# Lunch\n\nSoup, e.g. of peas. Bread\n- salt\nPrice: 4 EUR\n';
    const shown = (family: 'code' | 'prose'): string[] =>
      textUnits(text, family).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);
    assert.deepEqual(shown('prose'), [
      'sentence Soup, e.g. of peas.',
      'sentence Bread',
      'item salt',
      'field Price: 4 EUR',
    ]);
    assert.equal(shown('code').length, 4);
  });

  it('lie inside of their passage, in order, and are not empty, whatever the text', async () => {
    const parts = [
      '- ',
      '* ',
      '| a | b |',
      '|---|---|',
      '```',
      '\n',
      '\n\n',
      'Word. Word',
      '<td>',
      '</tr>',
      ': x',
      '# H',
      '**K:** v',
      '> ',
      '    ',
      '[a](b)',
      '---',
      '`',
    ];
    let state = 7;
    const next = (): string => parts[(state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % parts.length] ?? '';
    for (let n = 0; n < 150; n++) {
      const text = Array.from({ length: 40 }, next).join('');
      for (const path of ['a.md', 'a.html', 'a.txt', 'a.yaml'])
        for (const passage of await read(path, `x${text}`)) {
          let before = 0;
          for (const { start, end, context } of passage.units ?? []) {
            assert.ok(start >= before && end > start && end <= passage.text.length, `${path}: ${JSON.stringify(text)}`);
            assert.equal(passage.text.slice(start, end).trim(), passage.text.slice(start, end));
            if (context?.end !== undefined) assert.ok(context.end <= passage.text.length);
            before = start;
          }
        }
    }
  });

  it('of a chain of calls are its links, below what they are called on', async () => {
    const typescript = [
      'export async function main() {',
      "  const cli = cac('port')",
      "    .option('-d, --out-dir <dir>', 'Output directory', { default: 'dist' })",
      "    .option('--target <target>', 'Bundle target', {",
      "      default: 'es2017',",
      '    })',
      '    .action(async (files) => {',
      '      const found = files.filter(Boolean)',
      '      log(found)',
      '      log(2)',
      '      await build(found)',
      '    })',
      '}',
    ].join('\n');
    assert.deepEqual(await unitsOf('cli.ts', typescript), [
      'signature export async function main() {',
      "statement {export async function main()} const cli = cac('port')",
      "default {export async function main() › const cli = cac('port')} .option('-d, --out-dir <dir>', 'Output directory', { default: 'dist' })",
      "default {export async function main() › const cli = cac('port')} .option('--target <target>', 'Bundle target', {\n      default: 'es2017',\n    })",
      "statement {export async function main() › const cli = cac('port')} .action(async (files) => {",
      "statement {export async function main() › const cli = cac('port') › .action(async (files)} const found = files.filter(Boolean)",
      "statement {export async function main() › const cli = cac('port') › .action(async (files)} log(found)",
      "statement {export async function main() › const cli = cac('port') › .action(async (files)} log(2)",
      "statement {export async function main() › const cli = cac('port') › .action(async (files)} await build(found)",
    ]);
    const java = [
      'class Lock {',
      '  void open() {',
      '    gates',
      '        .stream()',
      '        .filter(Gate::shut)',
      '        .map(Gate::open)',
      '        .forEach(this::log);',
      '  }',
      '}',
    ];
    assert.deepEqual((await unitsOf('Lock.java', java.join('\n'))).slice(2), [
      'statement {class Lock › void open()} gates',
      ...['.stream()', '.filter(Gate::shut)', '.map(Gate::open)', '.forEach(this::log);'].map(
        (link) => `statement {class Lock › void open() › gates} ${link}`,
      ),
    ]);
    const go = [
      'package port',
      '',
      'func open() {',
      '\treturn style.',
      '\t\tBold(true).',
      '\t\tPadding(0, 1).',
      '\t\tMargin(1).',
      '\t\tRender("Tern")',
      '}',
    ];
    assert.deepEqual((await unitsOf('lock.go', go.join('\n'))).slice(2), [
      'statement {func open()} return style.',
      ...['Bold(true)', 'Padding(0, 1)', 'Margin(1)', 'Render("Tern")'].map(
        (link) => `statement {func open() › return style.} ${link}`,
      ),
    ]);
  });

  it('of a macro are its texts, and no name alone', async () => {
    const table = [
      'fn head(cells: &[Cell]) -> String {',
      '    format!(',
      '        "the head of all cells {}",',
      '        cells',
      '            .iter()',
      '            .map(|a| match a {',
      '                Cell::Left => "<",',
      '                Cell::Right => ">",',
      '            })',
      '            .join(",")',
      '    )',
      '}',
      '',
    ];
    const units = await unitsOf('table.rs', table.join('\n'));
    assert.ok(units.some((unit) => unit.endsWith('"the head of all cells {}"')));
    assert.deepEqual(
      units.filter((unit) => /[} ](?:cells|iter|map|join|Cell)$/.test(unit)),
      [],
    );
  });

  it('of options know what they are called, and whose they are', async () => {
    const python = [
      '@cli.command()',
      '@click.option("--batch-size", type=int, default=100, help="Commit every X records")',
      '@click.option(',
      '    "--srid",',
      '    type=int,',
      '    default=4326,',
      ')',
      'def add_geometry(batch_size, srid):',
      '    save(batch_size)',
      '',
      '',
      'def main(argv=None):',
      '    parser = ArgumentParser()',
      '    parser.add_argument("--retries", type=int, default=3)',
      '    parser.add_argument(',
      '        "--wait",',
      '        type=float,',
      '        default=1.5,',
      '        help="Seconds between tries",',
      '    )',
      '    return parser.parse_args(argv)',
    ].join('\n');
    const units = await unitsOf('cli.py', python);
    for (const unit of [
      'default {def add_geometry(batch_size, srid)} @click.option("--batch-size", type=int, default=100, help="Commit every X records")',
      'default {def add_geometry(batch_size, srid) › @click.option › "--srid"} default=4326',
      'default {def main(argv=None)} parser.add_argument("--retries", type=int, default=3)',
      'default {def main(argv=None) › parser.add_argument › "--wait"} default=1.5',
    ])
      assert.ok(units.includes(unit), `${unit}\n${units.join('\n')}`);
    const rust = [
      'pub struct Opts {',
      '    /// Set the maximum depth.',
      '    #[arg(long, default_value_t = 4, env = "FD_DEPTH")]',
      '    pub max_depth: usize,',
      '    #[arg(',
      '        long,',
      '        default_value = "auto",',
      '        help = "When to use colours",',
      '        value_name = "when",',
      '    )]',
      '    color: When,',
      '}',
    ].join('\n');
    assert.deepEqual((await unitsOf('cli.rs', rust)).slice(1), [
      'comment {pub struct Opts › pub max_depth: usize} /// Set the maximum depth.',
      'default {pub struct Opts › pub max_depth: usize} #[arg(long, default_value_t = 4, env = "FD_DEPTH")]',
      'default {pub struct Opts} pub max_depth: usize',
      `default {pub struct Opts › color: When} ${rust.slice(rust.indexOf('#[arg(\n'), rust.indexOf('\n    color'))}`,
      'default {pub struct Opts} color: When',
    ]);
  });
});
