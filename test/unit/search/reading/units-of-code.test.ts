import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unitsOf } from './units-harness.ts';

describe('units of evidence', () => {
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
      'error {export async function runTask( name: string, context = {}, )} if (!(name in tasks)) {\n' +
        '    throw createError({ message: `Task ${name} is not available!`, statusCode: 404 });\n  }',
      'statement {export async function runTask( name: string, context = {}, )} return tasks[name].run(context);',
    ]);
  });

  it('of code take no comment into the signature where nothing opens the body', async () => {
    const ruby = [
      'module Harbour',
      '  # Keeps the boats apart.',
      '  class Berths',
      '    # How many boats lie here.',
      '    def assign(boat, berths = 12)',
      '      # The mast counts, too.',
      '      # So it is measured first.',
      '      length = boat.length + boat.mast',
      '      length > berths ? nil : length',
      '    end',
      '  end',
      'end',
    ].join('\n');
    assert.deepEqual(await unitsOf('harbour.rb', ruby), [
      'signature module Harbour',
      'comment {module Harbour › class Berths} # Keeps the boats apart.',
      'signature {module Harbour} class Berths',
      'comment {module Harbour › class Berths › def assign(boat, berths = 12)} # How many boats lie here.',
      'signature {module Harbour › class Berths} def assign(boat, berths = 12)',
      'comment {module Harbour › def assign(boat, berths = 12) › length = boat.length + boat.mast} # The mast counts, too.\n      # So it is measured first.',
      'statement {module Harbour › class Berths › def assign(boat, berths = 12)} length = boat.length + boat.mast',
      'statement {module Harbour › class Berths › def assign(boat, berths = 12)} length > berths ? nil : length',
    ]);
    const python = [
      'def assign(boat, berths=12):',
      '    # The mast counts, too.',
      ...Array.from({ length: 12 }, (_, n) => `    lengths[${n}] = boat.masts[${n}]`),
    ].join('\n');
    assert.deepEqual((await unitsOf('harbour.py', python)).slice(0, 3), [
      'signature def assign(boat, berths=12):',
      'comment {def assign(boat, berths=12) › lengths[0] = boat.masts[0]} # The mast counts, too.',
      'statement {def assign(boat, berths=12)} lengths[0] = boat.masts[0]',
    ]);
    const c = [
      'int assign(int boat)',
      '/* The mast counts, too. */',
      '{',
      ...Array.from({ length: 12 }, (_, n) => `  add(${n});`),
      '}',
    ];
    assert.deepEqual((await unitsOf('harbour.c', c.join('\n'))).slice(0, 3), [
      'signature int assign(int boat)',
      'comment {int assign(int boat)} /* The mast counts, too. */',
      'statement {int assign(int boat)} add(0);',
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
    const item = ['* * `bell` - whether it rings.', long, long, long, long, 'Rings by default.'].join('\n * ');
    const options = `/**\n * ${long} ${long} Options:\n ${item}\n */\nfunction open(options) {\n  return raise(options, 5);\n}\n`;
    const rings = (await unitsOf('gate.js', options)).find((unit) => unit.endsWith(' Rings by default.'));
    assert.equal(rings, `comment {${about} › Options: › \`bell\`} Rings by default.`);
    const python =
      `def wait(hours):\n    """Waits. ${long}\n\n    Args:\n        hours: ${long}\n          ${long}\n         ` +
      ` ${long}\n        bell (bool): ${long}\n    """\n    return hours\n`;
    const units = await unitsOf('gate.py', python);
    assert.ok(units.includes(`comment {def wait(hours) › Args} bell (bool): ${long}`), units.join('\n'));
    assert.ok(units.includes(`comment {def wait(hours)} Waits. ${long}`), units.join('\n'));
  });

  it('of a long comment in XML are what its elements say, behind the name of a parameter or an error', async () => {
    const text = [
      'public class Gate {',
      '    /// <summary>',
      '    /// Opens the <see cref="Lock"/> and waits until',
      '    /// the water is level.',
      '    /// </summary>',
      '    /// <remarks><para>Twice a tide.</para><para>Never at night.</para></remarks>',
      '    /// <param name="speed">Turns a minute.</param>',
      '    /// <returns>The depth.</returns>',
      '    /// <exception cref="T:GateException">The gate is stuck.</exception>',
      '    public int Open(int speed)',
      '    {',
      '        return Raise(speed, 5);',
      '    }',
      '}',
    ].join('\n');
    const about = 'public class Gate › public int Open(int speed)';
    assert.deepEqual(
      (await unitsOf('Gate.cs', text)).filter((unit) => unit.startsWith('comment')),
      [
        `comment {${about}} Opens the <see cref="Lock"/> and waits until\n    /// the water is level.`,
        `comment {${about}} Twice a tide.`,
        `comment {${about}} Never at night.`,
        `comment {${about} › speed} Turns a minute.`,
        `comment {${about} › returns} The depth.`,
        `comment {${about} › GateException} The gate is stuck.`,
      ],
    );
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

  it('stand below the condition that holds for them, in every language', async () => {
    const branches = (open: string, [first, second, last]: readonly string[], close: string): string =>
      [
        `  if ${open}`,
        '    log("one");',
        '    again("one");',
        `  ${first}`,
        '    log("two");',
        '    again("two");',
        `  ${second}`,
        '    log("three");',
        '    again("three");',
        `  ${last}`,
        '    log("rest");',
        '    again("rest");',
        ...(close === '' ? [] : [`  ${close}`]),
      ].join('\n');
    const braces = ['} else if (a == 2) {', '} else if (a == 3) {', '} else {'];
    const bare = ['} else if a == 2 {', '} else if a == 3 {', '} else {'];
    const programs: [path: string, text: string][] = [
      ['a.ts', `function f(a) {\n${branches('(a == 1) {', braces, '}')}\n}`],
      ['A.java', `class A {\n void f(int a) {\n${branches('(a == 1) {', braces, '}')}\n}\n}`],
      ['a.cs', `class A {\n void F(int a) {\n${branches('(a == 1) {', braces, '}')}\n}\n}`],
      ['a.c', `void f(int a) {\n${branches('(a == 1) {', braces, '}')}\n}`],
      ['a.cpp', `void f(int a) {\n${branches('(a == 1) {', braces, '}')}\n}`],
      ['a.kt', `fun f(a: Int) {\n${branches('(a == 1) {', braces, '}')}\n}`],
      ['a.php', `<?php\nfunction f($a) {\n${branches('(a == 1) {', braces, '}')}\n}`],
      ['a.go', `package a\nfunc f(a int) {\n${branches('a == 1 {', bare, '}')}\n}`],
      ['a.rs', `fn f(a: u32) {\n${branches('a == 1 {', bare, '}')}\n}`],
      ['a.swift', `func f(a: Int) {\n${branches('a == 1 {', bare, '}')}\n}`],
      ['a.rb', `def f(a)\n${branches('a == 1', ['elsif a == 2', 'elsif a == 3', 'else'], 'end')}\nend`],
      ['a.py', `def f(a):\n${branches('a == 1:', ['elif a == 2:', 'elif a == 3:', 'else:'], '')}\n`],
    ];
    for (const [path, text] of programs) {
      const units = await unitsOf(path, `${text}\n`);
      for (const [word, value] of [
        ['one', 1],
        ['two', 2],
        ['three', 3],
      ] as const) {
        const all = units.filter((unit) => unit.includes(`"${word}"`));
        assert.ok(all.length > 0, `${path}: ${units.join('\n')}`);
        for (const unit of all) assert.deepEqual(unit.match(/(?<=a == )\d/gu), [String(value)], `${path}: ${unit}`);
      }
      for (const unit of units.filter((each) => each.includes('"rest"')))
        assert.match(unit, /else/u, `${path}: ${unit}`);
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
