import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

const text = (...lines: string[]): string => lines.join('\n');

describe('units of annotated code', () => {
  it('of Kotlin stand below the function, and not below its annotation', async () => {
    const said = text(
      'package port',
      '',
      '@Suppress("unused")',
      'class GateTest(',
      '  val gate: Gate,',
      ') {',
      '  /** At low tide it opens. */',
      '  @Test',
      '  fun opensAtLowTide() {',
      '    tide.fall()',
      '    gate.open()',
      '    assertEquals(1, gate.boats)',
      '  }',
      '',
      '  @Test fun shuts() {',
      '    tide.rise()',
      '    gate.shut()',
      '    assertEquals(0, gate.boats)',
      '  }',
      '}',
    );
    const type = 'class GateTest( val gate: Gate, )';
    const opens = `${type} › fun opensAtLowTide()`;
    const shuts = `${type} › fun shuts()`;
    assert.deepEqual(await unitsOf('GateTest.kt', said), [
      'import package port',
      'signature @Suppress("unused")\nclass GateTest(\n  val gate: Gate,\n) {',
      `comment {${opens}} /** At low tide it opens. */`,
      `signature {${type}} @Test\n  fun opensAtLowTide() {`,
      `statement {${opens}} tide.fall()`,
      `statement {${opens}} gate.open()`,
      `statement {${opens}} assertEquals(1, gate.boats)`,
      `signature {${type}} @Test fun shuts() {`,
      `statement {${shuts}} tide.rise()`,
      `statement {${shuts}} gate.shut()`,
      `statement {${shuts}} assertEquals(0, gate.boats)`,
    ]);
  });

  it('of a class that is exported stand below the class', async () => {
    const said = text(
      '@Injectable()',
      'export class GateService {',
      '  private readonly gates = inject(Gates);',
      '',
      "  @HostListener('click') ring(event: Event) {",
      '    this.bell.ring();',
      '    this.done.emit();',
      '    return event;',
      '  }',
      '}',
    );
    assert.deepEqual(await unitsOf('gate.ts', said), [
      'signature @Injectable()\nexport class GateService {',
      'default {export class GateService} private readonly gates = inject(Gates)',
      "statement {export class GateService › ring(event: Event)} @HostListener('click')",
      'signature {export class GateService} ring(event: Event) {',
      'statement {export class GateService › ring(event: Event)} this.bell.ring();',
      'statement {export class GateService › ring(event: Event)} this.done.emit();',
      'statement {export class GateService › ring(event: Event)} return event;',
    ]);
    const component = text(
      '/** Shows a gate. */',
      '@Component({',
      "  selector: 'port-gate',",
      "  styles: ['gate.css'],",
      '  standalone: true,',
      '})',
      'export class GateComponent {',
      "  name = 'north';",
      '}',
    );
    assert.deepEqual(await unitsOf('gate.component.ts', component), [
      'comment {export class GateComponent} /** Shows a gate. */',
      'statement {export class GateComponent} @Component({',
      "default {export class GateComponent › @Component} selector: 'port-gate'",
      "default {export class GateComponent › @Component} styles: ['gate.css']",
      'default {export class GateComponent › @Component} standalone: true',
      'signature export class GateComponent {',
      "default {export class GateComponent} name = 'north'",
    ]);
  });

  it('of many annotations are these, and the line that declares', async () => {
    const marks = ['@Fork(1)', '@Warmup(iterations = 5)', '@State(Scope.Benchmark)', '@Threads(2)', '@Timeout(3)'];
    const said = text(...marks, 'public final class GateBench {', '  int boats = 20;', '}');
    const type = 'public final class GateBench';
    assert.deepEqual(await unitsOf('GateBench.java', said), [
      ...marks.map((mark) => `statement {${type}} ${mark}`),
      `signature ${type} {`,
      `default {${type}} int boats = 20;`,
    ]);
    const csharp = text(
      '[ApiController]',
      'public class GateController',
      '{',
      '    [HttpGet("{id}")]',
      '    [Authorize]',
      '    public Gate Find(int id)',
      '    {',
      '        log.Write(id);',
      '        return gates.Find(id);',
      '    }',
      '}',
    );
    assert.deepEqual(await unitsOf('GateController.cs', csharp), [
      'signature [ApiController]\npublic class GateController',
      'signature {public class GateController} [HttpGet("{id}")]\n    [Authorize]\n    public Gate Find(int id)',
      'statement {public class GateController › public Gate Find(int id)} log.Write(id);',
      'statement {public class GateController › public Gate Find(int id)} return gates.Find(id);',
    ]);
  });
});

describe('units of code within each other', () => {
  it('hold no line twice', async () => {
    const files: [path: string, text: string][] = [
      [
        'a.rb',
        'def shut\n  lower\n  wait\n  again\nensure\n  if stuck?\n    ring\n    call\n    wait\n    log\n  end\nend\n',
      ],
      [
        'a.cpp',
        'void shut()\n{\n  if (stuck)\n  {\n    ring();\n    call();\n    wait();\n    log();\n    lower();\n  }\n}\n',
      ],
    ];
    for (const [path, said] of files) {
      const passages = await passagesOf(path, said);
      const ends = passages.flatMap(({ units = [] }) => units.map(({ end }) => end));
      const starts = passages.flatMap(({ units = [] }) => units.map(({ start }) => start));
      assert.ok(starts.length > 4, path);
      assert.ok(
        starts.every((start, i) => start >= (ends[i - 1] ?? 0)),
        (await unitsOf(path, said)).join('\n'),
      );
    }
  });
});

describe('units of a line', () => {
  it('go on to its end, with the comment there', async () => {
    const files: [path: string, before: string, unit: string][] = [
      ['a.py', '', 'constant WAIT = 30  # seconds until the gate closes'],
      ['a.ts', '', 'constant const wait = 30; // seconds until the gate closes'],
      ['a.go', 'package a\n', 'constant const Wait = 30 // seconds until the gate closes'],
      ['a.rs', '', 'constant const WAIT: u32 = 30; // seconds until the gate closes'],
      ['a.rb', '', 'constant WAIT = 30 # seconds until the gate closes'],
      ['a.sh', '', 'constant WAIT=30 # seconds until the gate closes'],
      ['a.c', '', 'constant int wait = 30; /* seconds until\n   the gate closes */'],
    ];
    for (const [path, before, unit] of files) {
      const units = await unitsOf(path, `${before}${unit.slice('constant '.length)}\n`);
      assert.ok(units.includes(unit), `${path}: ${units.join('\n')}`);
    }
  });

  it('hold what an option is given', async () => {
    const shell = text(
      'docker run -d \\',
      '  --name gate \\',
      '  -p 8080:80 \\',
      '  -v /srv/gate:/data \\',
      '  -e WAIT=5 \\',
      '  harbour/gate:1.2',
    );
    assert.deepEqual((await unitsOf('up.sh', shell)).map((unit) => unit.slice(unit.indexOf('} ') + 2)).slice(1), [
      '--name gate',
      '-p 8080:80',
      '-v /srv/gate:/data',
      '-e WAIT=5',
      'harbour/gate:1.2',
    ]);
    const python = text('DAYS = [', '    "monday", "tuesday",', '    "friday", "saturday",', '    "eve",', ']');
    assert.deepEqual(await unitsOf('days.py', python), [
      'statement DAYS = [',
      'statement {DAYS} "monday", "tuesday"',
      'statement {DAYS} "friday", "saturday"',
      'statement {DAYS} "eve"',
    ]);
  });

  it('take in no data', async () => {
    const line = Array.from({ length: 200 }, (_, n) => `gate(${n});`).join('');
    const units = await unitsOf('min.js', `${line}\n`);
    assert.ok(
      units.every((unit) => unit.length < 700),
      units.join('\n'),
    );
  });

  it('of a macro stand below those that they are indented below, short blocks whole', async () => {
    const said = text(
      'async fn run(stop: Stop) {',
      '    tokio::select! {',
      '        opened = gate.run() => {',
      '            // It may be stuck.',
      '            if let Err(cause) = opened {',
      '                error!(%cause, "failed to open the gate");',
      '            }',
      '        }',
      '        _ = stop => {',
      '            info!("the harbour shuts down");',
      '        }',
      '    }',
      '    let gates = vec![',
      '        Gate { name: "north".into(), depth: 12 },',
      '        Gate { name: "south".into(), depth: 9 },',
      '        spare,',
      '    ];',
      '    open(gates);',
      '}',
    );
    const head = 'async fn run(stop: Stop)';
    assert.deepEqual((await unitsOf('run.rs', said)).slice(1), [
      `statement {${head}} tokio::select! {`,
      `statement {${head} › tokio::select!} opened = gate.run() => {`,
      `comment {${head} › tokio::select! › opened = gate.run()} // It may be stuck.`,
      `statement {${head} › tokio::select! › opened = gate.run()} if let Err(cause) = opened {\n               ` +
        ` error!(%cause, "failed to open the gate");\n            }`,
      `statement {${head} › tokio::select!} _ = stop => {\n            info!("the harbour shuts down");\n        }`,
      `statement {${head}} let gates = vec![`,
      `statement {${head} › let gates = vec!} Gate { name: "north".into(), depth: 12 }`,
      `statement {${head} › let gates = vec!} Gate { name: "south".into(), depth: 9 }`,
      `statement {${head}} open(gates);`,
    ]);
  });

  it('of a macro hold a text of several lines once', async () => {
    const said = text(
      'fn shows() {',
      '    assert_snapshot!(table(&gates), @r#"',
      '    | Gate  | Depth |',
      '    | North | 12    |',
      '    | South | 9     |',
      '    "#);',
      '}',
    );
    const units = await unitsOf('table.rs', said);
    assert.equal(units.filter((unit) => unit.includes('| North | 12')).length, 1, units.join('\n'));
    assert.equal(units.filter((unit) => unit.includes('} assert_snapshot!(table')).length, 1, units.join('\n'));
  });
});

describe('what stands around a unit', () => {
  it('is told without the comment at the end of its line', async () => {
    const python = [
      'class Gate(Weir):  # noqa: D101',
      '    depth = 4',
      '',
      '    def open(self):  # slow',
      '        turn()',
    ];
    const units = await unitsOf(
      'gate.py',
      [...python, '        ring()', '        wait()', '        log()', ''].join('\n'),
    );
    assert.ok(units.includes('constant {class Gate(Weir)} depth = 4'), units.join('\n'));
    assert.ok(units.includes('statement {class Gate(Weir) › def open(self)} ring()'), units.join('\n'));
  });
});

describe('what a comment is about', () => {
  it('is nothing where it stands above what a file takes in, sets or does first', async () => {
    const header = 'Reads the gauge of the harbour.';
    const files: [path: string, text: string][] = [
      ['a.sh', `# ${header}\nset -euo pipefail\n`],
      ['a.js', `/**\n * ${header}\n */\n'use strict';\n`],
      ['b.js', `/* ${header} */\nconst gauge = require('gauge');\n`],
      ['a.py', `# ${header}\nimport os\n`],
      ['a.php', `<?php\n/** ${header} */\nif (! function_exists('gauge')) {\n  function gauge() { return 1; }\n}\n`],
      ['a.kt', `/* ${header} */\npackage port\n`],
      ['b.kt', `/* ${header} */\n@file:JvmName("Gauge")\npackage port\n`],
      ['a.h', `/** ${header} */\n#ifndef GAUGE_H\n#define GAUGE_H\nint gauge(void);\n#endif\n`],
    ];
    for (const [path, said] of files) {
      const found = (await unitsOf(path, said)).find((unit) => unit.includes(header));
      assert.match(found ?? '', /^comment (?:\/\*|#)/u, path);
    }
  });

  it('is what is declared or set below it, a default of a script too, and the step of a body', async () => {
    const files: [path: string, text: string, about: string][] = [
      ['a.sh', '# Seconds to wait.\n: "${WAIT:=5}"\n', ': "${WAIT:=5}"'],
      ['a.py', '# Seconds to wait.\nWAIT = 5\n', 'WAIT = 5'],
      ['a.go', '// Package gate waits.\npackage gate\n', 'package gate'],
      [
        'a.ts',
        '/** Waits. */\nexport const wait = (seconds: number) => sleep(seconds);\n',
        'export const wait = (seconds: number) => sleep(seconds)',
      ],
      [
        'a.php',
        "<?php\nreturn [\n  // Seconds to wait.\n  'wait' => 5,\n  'depth' => 3,\n  'tide' => 1,\n];\n",
        "'wait' => 5",
      ],
      [
        'b.py',
        'def main():\n    # Nothing opens.\n    if night():\n        rest()\n    open()\n    close()\n    ring()\n',
        'def main() › if night()',
      ],
    ];
    for (const [path, said, about] of files) {
      const found = (await unitsOf(path, said)).find((unit) => unit.startsWith('comment'));
      assert.ok(found?.startsWith(`comment {${about}} `), `${path}: ${found}`);
    }
  });

  it('is the first class in Kotlin, whose grammar takes it for the end of the imports', async () => {
    for (const above of ['package port', 'package port\n\nimport tide.Gauge\nimport tide.Level']) {
      const said = `${above}\n\n/** Opens at low tide. */\nclass Gate {\n  val depth = 12\n  val boats = 3\n  val name = "north"\n}\n`;
      const units = await unitsOf('Gate.kt', said);
      assert.ok(units.includes('comment {class Gate} /** Opens at low tide. */'), units.join('\n'));
      assert.ok(!units.some((unit) => unit.startsWith('import') && unit.includes('tide. */')), units.join('\n'));
    }
    const depths = Array.from(
      { length: 120 },
      (_, n) => `  val depth${n} = gauge.read("the lock at the quay of number ${n}")`,
    );
    const said = text(
      'package port',
      '',
      ...Array.from({ length: 60 }, (_, n) => `import tide.at.the.quay.Gauge${n}`),
      '',
      '/** Opens. */',
      'class Gate {',
      ...depths,
      '}',
    );
    const passages = await passagesOf('Gate.kt', said);
    const line = said.split('\n').indexOf('class Gate {') + 1;
    const documented = passages.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
    assert.ok(
      documented !== undefined && documented.startLine < line,
      JSON.stringify(passages.map(({ startLine, endLine }) => [startLine, endLine])),
    );
  });
});

describe('units of a chain with comments in it', () => {
  it('are all of its links, and the comments about them', async () => {
    const said = text(
      'const gate = z',
      '  // Everything that is known of it.',
      '  .object({',
      '    name: z.string(),',
      '    depth: z.number().max(12),',
      '    keeper: z.string().email(),',
      '    berth: z.string(),',
      '  })',
      '  // A keeper has a berth.',
      '  // Always.',
      '  .refine((given) => !given.keeper || given.berth)',
      '  .strict(); // nothing else',
    );
    assert.deepEqual(await unitsOf('gate.ts', said), [
      'statement const gate = z',
      'comment {const gate = z › .object} // Everything that is known of it.',
      'statement {const gate = z} .object({',
      'default {const gate = z › .object} name: z.string()',
      'default {const gate = z › .object} depth: z.number().max(12)',
      'default {const gate = z › .object} keeper: z.string().email()',
      'default {const gate = z › .object} berth: z.string()',
      'comment {const gate = z › .refine((given) => !given.keeper || given.berth)} // A keeper has a berth.\n  // Always.',
      'statement {const gate = z} .refine((given) => !given.keeper || given.berth)',
      'statement {const gate = z} .strict(); // nothing else',
    ]);
    const rust = text(
      'fn open() {',
      '    Gate::new("north")',
      '        .depth(12) // metres',
      '        // A keeper has a berth.',
      '        .keeper("Tern")',
      '        /* At night. */',
      '        .shut();',
      '}',
    );
    assert.deepEqual((await unitsOf('open.rs', rust)).slice(2), [
      'statement {fn open() › Gate::new("north")} .depth(12) // metres',
      'comment {fn open() › Gate::new("north") › .keeper("Tern")} // A keeper has a berth.',
      'statement {fn open() › Gate::new("north")} .keeper("Tern")',
      'comment {fn open() › Gate::new("north") › .shut()} /* At night. */',
      'statement {fn open() › Gate::new("north")} .shut();',
    ]);
  });
});
