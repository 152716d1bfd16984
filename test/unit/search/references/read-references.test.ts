import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readingLimits } from '../../../../src/search/reading/reading-limits.ts';
import { referenceShelf } from '../../../../src/search/reading/chunk/cut-passages.ts';
import { namedType, valueType, writtenName } from '../../../../src/search/reading/code/written-names.ts';
import { decodeReferences, encodeReferences, ReferenceColumnError } from '../../../../src/search/domain/references.ts';
import { referencesOf } from './program-of.ts';

describe('reading references', () => {
  it('tells definitions with what they stand in, and their lines', async () => {
    const { definitions } = await referencesOf(
      'store.ts',
      'export class Store {\n  private lines: Lines;\n  merge(): Promise<Lines> {\n    return this.lines;\n  }\n}\nconst LIMIT = 3;\n',
    );
    assert.deepEqual(definitions, [
      { kind: 'class', name: 'Store', container: '', line: 1, endLine: 6 },
      { kind: 'field', name: 'lines', container: 'Store', line: 2, endLine: 2 },
      { kind: 'method', name: 'merge', container: 'Store', line: 3, endLine: 5 },
      { kind: 'constant', name: 'LIMIT', container: '', line: 7, endLine: 7 },
    ]);
  });

  it('tells strings by which something is looked up, and thrown texts', async () => {
    const { uses } = await referencesOf(
      'app.ts',
      "on('user.created', () => process.env.HOME_DIR);\nthrow new Error('no such user');\nsay('Hello to you');\n",
    );
    const words = uses
      .filter(({ kind }) => kind === 'key' || kind === 'throw')
      .map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(words, ['key user.created', 'key HOME_DIR', 'throw Error', 'throw no such user']);
  });

  const words: Record<string, { file: string; text: string[]; words: string[] }> = {
    TypeScript: {
      file: 'shop.ts',
      text: [
        'throw new ShopError(`no such ${user.name} in ${shop}`);',
        "throw Error('the shop is shut');",
        "throw new ShopError(t('the {0} is broken', door));",
        "Promise.reject(new TypeError('not a line'));",
        'const { HOME, PORT: port } = process.env;',
        "open(import.meta.env.SHOP_URL, import.meta.env['SHOP_KEY']);",
        "@Get('/users/[id]')",
        'class Users {}',
      ],
      words: [
        'throw no such ${user.name} in ${shop}',
        'throw the shop is shut',
        'throw the {0} is broken',
        'throw not a line',
        'key HOME',
        'key PORT',
        'key SHOP_URL',
        'key SHOP_KEY',
        'key /users/[id]',
      ],
    },
    Python: {
      file: 'shop.py',
      text: [
        '@app.route("/users/<int:id>")',
        'def users():',
        '    port = os.environ["SHOP_PORT"] or os.getenv("SHOP_HOST", "here") or os.environ.get("SHOP_NAME")',
        '    raise ShopError(f"no such {user}")',
        '    raise ShopError("no such %s" % user)',
        '    raise ValueError("the shop " + name + " is shut") from error',
      ],
      words: [
        'key /users/<int:id>',
        'key SHOP_PORT',
        'key SHOP_HOST',
        'key here',
        'key SHOP_NAME',
        'throw no such {user}',
        'throw no such %s',
        'throw the shop ${} is shut',
      ],
    },
    Ruby: {
      file: 'shop.rb',
      text: [
        "get '/users/:id', to: 'users#show'",
        'def open',
        '  port = ENV["SHOP_PORT"] || ENV.fetch("SHOP_HOST")',
        '  raise ShopError, "no such #{user}"',
        '  raise "the shop is shut"',
        '  raise ShopError.new("out of lines")',
        'end',
      ],
      words: [
        'key /users/:id',
        'key users#show',
        'key SHOP_PORT',
        'key SHOP_HOST',
        'throw no such #{user}',
        'throw the shop is shut',
        'throw out of lines',
      ],
    },
    'C++': {
      file: 'shop.cpp',
      text: [
        'void open() {',
        '  auto port = std::getenv("SHOP_PORT");',
        '  throw ShopError("no such user");',
        '  throw ShopError{"the shop is shut"};',
        '  throw ShopError("no lines in " + name);',
        '}',
      ],
      words: ['key SHOP_PORT', 'throw no such user', 'throw the shop is shut', 'throw no lines in '],
    },
    Kotlin: {
      file: 'Shop.kt',
      text: [
        'class Shop {',
        '  @GetMapping("/users") fun users() {}',
        '  @Value("\\${shop.size}") val size = 1',
        '  fun open() {',
        '    val port = System.getenv("SHOP_PORT")',
        '    require(size > 1) { "too small: $size" }',
        '    val user = checkNotNull(find(name)) { "no such ${user.name}" }',
        '    check(isOpen) {',
        '      log.say("shut")',
        '      "the shop is shut"',
        '    }',
        '    if (lost) error("out of lines")',
        '    log.error("no error text")',
        '    throw ShopError("cannot open $name", cause)',
        '    throw ShopError(message = "no room in " + name)',
        '  }',
        '}',
      ],
      words: [
        'key /users',
        'key shop.size',
        'key SHOP_PORT',
        'throw too small: $size',
        'throw no such ${user.name}',
        'key shut',
        'throw the shop is shut',
        'throw out of lines',
        'throw cannot open $name',
        'throw no room in ',
      ],
    },
    Go: {
      file: 'shop.go',
      text: [
        'package shop',
        'func open() error {',
        '  if shut { return errors.New("the shop is shut") }',
        '  if lost { return errors.Wrap(err, "reading lines") }',
        '  if sad { panic(fmt.Sprintf("no room for %d", size)) }',
        '  log.Fatalf("cannot say %s", name)',
        '  return fmt.Errorf("cannot open %q: %w", name, err)',
        '}',
        'func routes() {',
        '  mux.HandleFunc("/users/{id}", users)',
        '  router.GET("/lines/:id", lines)',
        '  port, _ := os.LookupEnv("SHOP_PORT")',
        '  serve(os.Getenv("SHOP_HOST"), port)',
        '}',
      ],
      words: [
        'throw the shop is shut',
        'throw reading lines',
        'throw no room for %d',
        'throw cannot say %s',
        'throw cannot open %q: %w',
        'key /users/{id}',
        'key /lines/:id',
        'key SHOP_PORT',
        'key SHOP_HOST',
      ],
    },
    Rust: {
      file: 'shop.rs',
      text: [
        '#[error("no such user {0}")]',
        'struct Lost(String);',
        'fn open() -> Result<()> {',
        '  if a { bail!("the shop is shut"); }',
        '  if b { return Err(anyhow::anyhow!("cannot open {name}")); }',
        '  ensure!(size > 1, "too small: {}", size);',
        '  if c { return Err("not a line".into()); }',
        '  if d { return Err(format!("bad line {}", line)); }',
        '  lines.first().expect("lines are never empty");',
        '}',
        '#[get("/users/{id}")]',
        'fn users() { env!("SHOP_PORT"); option_env!("SHOP_HOST"); }',
      ],
      words: [
        'throw no such user {0}',
        'throw the shop is shut',
        'throw cannot open {name}',
        'throw too small: {}',
        'throw not a line',
        'throw bad line {}',
        'throw lines are never empty',
        'key /users/{id}',
        'key SHOP_PORT',
        'key SHOP_HOST',
      ],
    },
    'C#': {
      file: 'Shop.cs',
      text: [
        'class Shop {',
        '  void Open() { throw new ShopError($"no such {user} in {shop:F2}"); }',
        '  void Find() => throw new ShopError(@"not found");',
        '  void Shut() { throw new ShopError(string.Format("the {0} is shut", shop)); }',
        '  [HttpGet("api/[controller]/{id}")] void Users() { var port = Configuration["Shop:Port"]; }',
        '}',
      ],
      words: [
        'throw no such {user} in {shop:F2}',
        'throw not found',
        'throw the {0} is shut',
        'key api/[controller]/{id}',
        'key Shop:Port',
      ],
    },
    Java: {
      file: 'Shop.java',
      text: [
        'class Shop {',
        '  void open() { throw new ShopError(String.format("no such %s", user)); }',
        '  void shut() { throw new ShopError("the %s is shut".formatted(shop)); }',
        '  @GetMapping("/users") void users() {}',
        '  @RequestMapping(path = {"/lines", "/rows"}, produces = "text/plain") void both() {}',
        '  @Value("${shop.timeout:30}") int timeout;',
        '}',
      ],
      words: [
        'throw no such %s',
        'throw the %s is shut',
        'key /users',
        'key /lines',
        'key /rows',
        'key text/plain',
        'key shop.timeout',
      ],
    },
    C: {
      file: 'shop.c',
      text: [
        'int open_shop(void) {',
        '  fprintf(stderr, "cannot open %s\\n", name);',
        '  fprintf(out, "all is well");',
        '  errx(1, "no such %s", name);',
        '  die("out of lines");',
        '  char *port = getenv("SHOP_PORT");',
        '}',
      ],
      words: ['throw cannot open %s', 'throw no such %s', 'throw out of lines', 'key SHOP_PORT'],
    },
    PHP: {
      file: 'shop.php',
      text: [
        '<?php',
        "Route::get('/users', 1);",
        '$port = $_ENV["PORT"] ?? getenv("SHOP_PORT");',
        "#[Route('/lines/{id}', name: 'lines')]",
        'function lines() { throw new ShopError("the shop is shut"); }',
      ],
      words: ['key /users', 'key PORT', 'key SHOP_PORT', 'key /lines/{id}', 'key lines', 'throw the shop is shut'],
    },
  };
  for (const [language, { file, text, words: expected }] of Object.entries(words))
    it(`tells keys and thrown texts of ${language}`, async () => {
      const { uses } = await referencesOf(file, text.join('\n'));
      const found = uses.filter(({ kind, name }) => kind === 'key' || (kind === 'throw' && !/^[A-Z]\w+$/.test(name)));
      assert.deepEqual(
        found.map(({ kind, name }) => `${kind} ${name}`),
        expected,
      );
    });

  const options: Record<string, { file: string; text: string[]; options: string[] }> = {
    Python: {
      file: 'shop.py',
      text: [
        'app.add_argument("-o", "--output", dest="target")',
        'install = typer.Option(None, "--install-completion", help="-x does nothing")',
        '@click.option("--force/--no-force", default=False)',
        'def run(name: Annotated[str, typer.Option("--name")]):',
        '    say("- no option", "-1", "--")',
      ],
      options: [
        '-o 1',
        '--output 1',
        '--install-completion 2',
        '-x 2',
        '--force/--no-force 3',
        '--force 3',
        '--no-force 3',
        '--name 4',
      ],
    },
    TypeScript: {
      file: 'shop.ts',
      text: ["program.option('-o, --output <file>', 'where --it goes');", "new Option('--dry-run');"],
      options: ['-o 1', '--output 1', '--dry-run 2'],
    },
    Java: {
      file: 'Shop.java',
      text: ['class Shop {', '  @Option(names = {"-o", "--output"}) String out;', '  @Flag("--all") boolean all;', '}'],
      options: ['-o 2', '--output 2', '--all 3'],
    },
    'C#': {
      file: 'Shop.cs',
      text: ['class Shop {', '  void Add() { var o = new Option<string>("--output", "where it goes"); }', '}'],
      options: ['--output 2'],
    },
    PHP: {
      file: 'shop.php',
      text: ['<?php', "$parser->add('name', '--name');"],
      options: ['--name 2'],
    },
    Ruby: {
      file: 'shop.rb',
      text: ['opts.on("-o", "--output FILE", "where it goes") { }'],
      options: ['-o 1', '--output 1'],
    },
    Kotlin: {
      file: 'Shop.kt',
      text: ['val out by option("-o", "--output")'],
      options: ['-o 1', '--output 1'],
    },
  };
  for (const [language, { file, text, options: expected }] of Object.entries(options))
    it(`tells the options of a command line in ${language}`, async () => {
      const { uses } = await referencesOf(file, text.join('\n'));
      assert.deepEqual(
        uses
          .filter(({ kind, name }) => kind === 'key' && name.startsWith('-'))
          .map(({ name, line }) => `${name} ${line}`),
        expected,
      );
    });

  const declared: Record<string, { file: string; text: string; definitions: string[] }> = {
    C: {
      file: 'shop.c',
      text: [
        'struct line { struct line *next; char name[8]; int (*ready)(int); int size, *sizes; };',
        'int load(void);',
        'char *copy(const char *from);',
        'static struct line *head;',
        'extern int count;',
        'int limit = 3, *limits[4];',
        'struct line **grid(void) { char *mine; int cells[2]; mine = 0; return 0; }',
        'typedef struct line *line_ref;',
      ].join('\n'),
      definitions: [
        'class line 1',
        'field line.next 1',
        'field line.name 1',
        'field line.ready 1',
        'field line.size 1',
        'field line.sizes 1',
        'declaration load 2',
        'declaration copy 3',
        'variable head 4',
        'declaration count 5',
        'variable limit 6',
        'variable limits 6',
        'function grid 7',
        'type line_ref 8',
      ],
    },
    'C++': {
      file: 'shop.hpp',
      text: [
        '#ifndef SHOP_HPP',
        'namespace shop {',
        'class Line {',
        '  static Line* make() { return nullptr; }',
        '  Line& at(int place);',
        '  std::vector<Line*> all[2];',
        '  Line** rows;',
        '  Line& first;',
        '};',
        'Line* Line::next() { return rows[0]; }',
        'const Line& Line::last() { return first; }',
        'Line::Line() {}',
        'Line open(int count);',
        'int size;',
        '}',
        '#endif',
      ].join('\n'),
      definitions: [
        'module shop 2',
        'class shop.Line 3',
        'method shop.Line.make 4',
        'method shop.Line.at 5',
        'field shop.Line.all 6',
        'field shop.Line.rows 7',
        'field shop.Line.first 8',
        'method Line.next 10',
        'method Line.last 11',
        'method Line.Line 12',
        'declaration shop.open 13',
        'variable shop.size 14',
      ],
    },
  };
  for (const [language, { file, text, definitions }] of Object.entries(declared))
    it(`tells what ${language} declares with pointers, references and lists`, async () => {
      const found = await referencesOf(file, text);
      assert.deepEqual(
        found.definitions.map(({ kind, name, container, line }) =>
          [kind, container === '' ? name : `${container}.${name}`, line].join(' '),
        ),
        definitions,
      );
    });

  it('tells keys and error texts of Swift', async () => {
    const { uses } = await referencesOf(
      'Shop.swift',
      [
        'func run() throws {',
        '  center.post("user.created")',
        '  let theme = defaults.string(forKey: "shop.theme")',
        '  let home = ProcessInfo.processInfo.environment["HOME_DIR"]',
        '  precondition(ready, "the shop is not ready")',
        '  if late { throw ShopError(message: "the shop is shut") }',
        '  fatalError("no such shop")',
        '}',
      ].join('\n'),
    );
    assert.deepEqual(
      uses.filter(({ kind }) => kind === 'key').map(({ name, line }) => `${line} ${name}`),
      ['2 user.created', '3 shop.theme', '4 HOME_DIR'],
    );
    assert.deepEqual(
      uses
        .filter(({ kind, name }) => kind === 'throw' && name.includes(' '))
        .map(({ name, line }) => `${line} ${name}`),
      ['5 the shop is not ready', '6 the shop is shut', '7 no such shop'],
    );
  });

  it('leaves out names that a function binds for itself', async () => {
    const { uses } = await referencesOf(
      'app.ts',
      'function load() {}\nexport function run(load: () => void) { load(); }\n',
    );
    assert.deepEqual(uses, []);
  });

  it('gives up on a tree that is nested once per character, keeps what it has read, and says so', async () => {
    const references = await referencesOf('deep.js', `function load() {}\nload();\nx = a${'.a'.repeat(30_000)};\n`);
    assert.equal(references.cut, true);
    assert.equal(references.definitions[0]?.name, 'load');
  });

  it('keeps the first of more definitions and uses than a file may have', async () => {
    const calls = Array.from({ length: readingLimits.referencesPerFile + 10 }, (_, i) => `load(${i});\n`);
    const { uses, cut } = await referencesOf('long.js', `function load() {}\n${calls.join('')}`);
    assert.equal(uses.length, readingLimits.referencesPerFile);
    assert.equal(cut, true);
  });

  it('reads a long file stretch by stretch as it reads it whole', async () => {
    const part = (i: number): string =>
      `  /** ${'é'.repeat(40)} */\n  part${i}(): number {\n    return this.part${Math.max(0, i - 1)}();\n  }\n`;
    const parts = Array.from({ length: 3_000 }, (_, i) => part(i)).join('');
    const text = `export class Store {\n${parts}}\n`;
    assert.ok(text.length > 2 * 131_072, 'it reaches over three stretches');
    const { definitions, uses, cut } = await referencesOf('store.ts', text);
    assert.equal(cut, undefined);
    assert.deepEqual(
      definitions.map(({ name, line, container }) => [name, line, container]),
      [['Store', 1, ''], ...Array.from({ length: 3_000 }, (_, i) => [`part${i}`, 3 + 4 * i, 'Store'])],
    );
    assert.deepEqual(
      uses.map(({ kind, name, line }) => [kind, name, line]),
      Array.from({ length: 3_000 }, (_, i) => ['call', `part${Math.max(0, i - 1)}`, 4 + 4 * i]),
    );
  });

  it('keeps what it has found of a text with a match at every character, and says so', async () => {
    const { definitions, cut } = await referencesOf('blocks.js', `function load() {}\n${'{}\n'.repeat(300_000)}`);
    assert.equal(cut, true);
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['load'],
    );
  });

  it('gives each passage the references of its lines, and stores them', async () => {
    const references = await referencesOf(
      'a.py',
      'import os\n\ndef load():\n    return os.getcwd()\n\ndef run():\n    load()\n',
    );
    const taken = referenceShelf({ ...references, cut: true });
    const first = decodeReferences(taken({ startLine: 1, endLine: 4 }) ?? '', 1);
    const second = decodeReferences(taken({ startLine: 6, endLine: 7 }) ?? '', 6);
    assert.deepEqual(
      { ...references, cut: true },
      {
        definitions: [...first.definitions, ...second.definitions],
        uses: [...first.uses, ...second.uses],
        imports: [...first.imports, ...second.imports],
        cut: first.cut,
      },
    );
    assert.equal(second.cut, undefined);
    assert.equal(taken({ startLine: 5, endLine: 5 }), undefined);
  });

  it('notices a damaged column', () => {
    const stored = encodeReferences(
      { definitions: [], uses: [{ kind: 'call', name: 'load', receiver: '', line: 3 }], imports: [] },
      1,
    );
    assert.throws(() => decodeReferences(stored.replace('load', 'lord'), 1), ReferenceColumnError);
  });

  it('reads names as they are written', () => {
    const cases: [string, string, string][] = [
      ['store.merge', 'merge', 'store'],
      ['this.store?.merge', 'merge', 'this.store'],
      ['Store::open', 'open', 'Store'],
      ['self.lines.add', 'add', 'this.lines'],
      ['super.close', 'close', 'super'],
      ['open(1).merge', 'merge', '?'],
      ['new Store(1).merge', 'merge', 'Store'],
      ['(await open(x)).merge', 'merge', '?'],
      ['"a,b".split', 'split', '?'],
      ['Box<Item>', 'Box', ''],
    ];
    for (const [text, name, receiver] of cases) assert.deepEqual(writtenName(text, 'super'), { name, receiver }, text);
    for (const text of ['super().close', 'super(Store, self).close'])
      assert.deepEqual(writtenName(text, 'super()'), { name: 'close', receiver: 'super' }, text);
    assert.equal(writtenName('base.close', 'super')?.receiver, 'base');
    assert.equal(namedType(': Promise<Store | undefined>'), 'Store');
    assert.equal(namedType(': string'), undefined);
    assert.equal(valueType('await openStore(x, 1)'), undefined);
    assert.equal(valueType('new shop.Store<Item>(1)'), 'Store');
    assert.equal(valueType('&Store{a: 1}'), 'Store');
    assert.equal(valueType('1 + 2'), undefined);
  });
});
