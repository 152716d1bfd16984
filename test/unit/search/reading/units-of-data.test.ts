import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

/** More lines than one passage holds beside others. */
const settings = (prefix: string, line: (i: number) => string): string =>
  Array.from({ length: 40 }, (_, i) => `${prefix}${line(i)}`).join('\n');

describe('units of data', () => {
  const said = ['What the alerts do when the water rises above the limit.', 'It is read before the gates open.'];

  it('of a comment stand in the passage of the key below it, and below that key', async () => {
    const yaml = (key: string): string => `${key}:\n${settings('  ', (i) => `setting${i}: value-${i}-of-it`)}\n`;
    const json = (key: string): string =>
      `  "${key}": {\n${settings('    ', (i) => `"setting${i}": "value-${i}-of-it",`)}\n  },\n`;
    const toml = (key: string): string => `[${key}]\n${settings('', (i) => `setting${i} = "value-${i}-of-it"`)}\n`;
    for (const [name, text, comment] of [
      ['a.yaml', `${yaml('gauge')}\n# ${said.join('\n# ')}\n${yaml('alerts')}`, `# ${said.join('\n# ')}`],
      ['a.toml', `${toml('gauge')}\n# ${said.join('\n# ')}\n${toml('alerts')}`, `# ${said.join('\n# ')}`],
      ['a.jsonc', `{\n${json('gauge')}  // ${said.join('\n  // ')}\n${json('alerts')}}`, `// ${said.join('\n  // ')}`],
      [
        'tsconfig.json',
        `{\n${json('gauge')}  /* ${said.join('\n')} */\n${json('alerts')}}`,
        `/* ${said.join('\n')} */`,
      ],
    ] as const) {
      const passages = await passagesOf(name, text);
      const passage = passages.find((each) => each.text.includes('What the alerts'));
      assert.equal(passage?.title, 'alerts', name);
      assert.equal(passage.text.trim().startsWith(comment), true, name);
      assert.ok((await unitsOf(name, text)).includes(`comment {alerts} ${comment}`), name);
    }
  });

  it('of a comment above one line have what that has above it, and a long one is cut by its sentences', async () => {
    const long = Array.from({ length: 12 }, (_, i) => `  # Sentence ${i} tells of the harbour and its gates.`);
    const text = ['gauge:', '  # Seconds between two readings.', '  interval: 5', ...long, '  unit: m', '  # The end.'];
    const units = await unitsOf('a.yaml', text.join('\n'));
    assert.deepEqual(units.slice(0, 3), [
      'comment {gauge} # Seconds between two readings.',
      'field {gauge} interval: 5',
      'comment {gauge} Sentence 0 tells of the harbour and its gates.',
    ]);
    assert.deepEqual(units.slice(-2), ['field {gauge} unit: m', 'comment # The end.']);
  });

  it('of a list stand below the names of its entries, or what these alone begin with', async () => {
    const text = [
      'alerts:',
      '  - severity: page',
      '    name: HighWater',
      '  - alert: LowWater',
      '    for: 5m',
      '  - type: gate',
      '    open: 1h',
      '  - type: gate',
      '    open: 2h',
      '  - 3.2',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('a.yaml', text), [
      'field {alerts} - severity: page',
      'field {alerts › HighWater} name: HighWater',
      'field {alerts} - alert: LowWater',
      'field {alerts › LowWater} for: 5m',
      'field {alerts} - type: gate',
      'field {alerts › [2]} open: 1h',
      'field {alerts} - type: gate',
      'field {alerts › [3]} open: 2h',
      'field {alerts} - 3.2',
    ]);
  });

  it('of a list are told of the comment above each entry, and none of a script', async () => {
    const text = [
      'steps:',
      '  # Waits for low water.',
      '  - name: wait',
      '    run: |',
      '      # Opens the gate.',
      '      gate open',
      '  # Rings the bell.',
      '  - name: ring',
      '    run: bell',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('a.yaml', text), [
      'comment {steps › wait} # Waits for low water.',
      'field {steps} - name: wait',
      'field {steps › wait › run} # Opens the gate.',
      'field {steps › wait › run} gate open',
      'comment {steps › ring} # Rings the bell.',
      'field {steps} - name: ring',
      'field {steps › ring} run: bell',
    ]);
  });

  it('of a value over several lines are one, or its sentences where it is long', async () => {
    const text = [
      'description: The gauge must be calibrated before it',
      '  is connected to the harbour.',
      'note: "The keeper rings the bell',
      '  twice. Then the gate opens."',
      'rules:',
      '  - Nobody may open the gate',
      '    at night.',
      '  - Wait.',
      'about: The first sentence is a long one, as it tells of the harbour',
      '  and of all of its gates.',
      ...Array.from({ length: 6 }, (_, i) => `  Sentence ${i} tells of the harbour\n  and its gates.`),
      '',
    ].join('\n');
    const units = await unitsOf('a.yaml', text);
    assert.deepEqual(units.slice(0, 6), [
      'field description: The gauge must be calibrated before it\n  is connected to the harbour.',
      'field note: "The keeper rings the bell\n  twice. Then the gate opens."',
      'field {rules} - Nobody may open the gate\n    at night.',
      'field {rules} - Wait.',
      'field about: The first sentence is a long one, as it tells of the harbour\n  and of all of its gates.',
      'field {about} Sentence 0 tells of the harbour\n  and its gates.',
    ]);
  });

  it('of a text of TOML are its sentences, and not the marks that open it', async () => {
    const text = [
      '[gates]',
      'text = """',
      'The gauge must be calibrated. It is',
      'read before the gates open.',
      '"""',
      "run = '''",
      '# Opens it.',
      'gate open',
      "'''",
      'note = """The keeper rings',
      'the bell."""',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('a.toml', text), [
      'field {gates › text} The gauge must be calibrated.',
      'field {gates › text} It is\nread before the gates open.',
      'field {gates › run} # Opens it.',
      'field {gates › run} gate open',
      'field {gates} note = """The keeper rings\nthe bell."""',
    ]);
  });

  it('of CSV know the cells of their header, years and quoted ones too', async () => {
    const tables: [name: string, header: string, row: string, told: string, above?: number][] = [
      ['years.csv', 'Country,Code,2019,2020', 'Norway,NOR,5.3,5.4', 'Country | Code | 2019 | 2020'],
      ['quoted.csv', '"Name, full",Age,City', '"Berg, Ada",31,Oslo', 'Name, full | Age | City'],
      [
        'semi.csv',
        'Artikel;Preis, netto;Menge, Stück, gesamt',
        'Boje;12,50;4',
        'Artikel | Preis, netto | Menge, Stück, gesamt',
      ],
      ['a.tsv', 'Berth; old\tDepth, m', 'North\t4,5', 'Berth; old | Depth, m'],
      ['pipe.csv', 'Berth|Depth', 'North|4', 'Berth | Depth'],
      ['hint.csv', 'sep=;\nBerth;Depth, m', 'North;4', 'Berth | Depth, m'],
      ['titled.csv', '# Made by hand\nDepths in May\n\nBerth,Depth', 'North,4', 'Berth | Depth', 2],
      ['comment.csv', '# May, and June, and July\nBerth,Depth', 'North,4', 'Berth | Depth', 1],
      ['sharp.tsv', '#Berth\tDepth', 'North\t4', '#Berth | Depth'],
      ['gap.csv', ',Low,High', 'North,4,9', '| Low | High'],
      ['said.csv', '"The ""old"" pier",Depth', 'x,4', 'The "old" pier | Depth'],
    ];
    for (const [name, header, row, told, above = 0] of tables) {
      const units = await unitsOf(name, `${header}\n${row}\n`);
      assert.deepEqual(units.splice(above), [`row {${told}} ${row}`], name);
      assert.ok(!units.join().includes('{'), name);
      const [passage] = await passagesOf(name, `${header}\n${row}\n`);
      assert.equal(passage?.title, told.replace(/^\| /, '').replaceAll(' | ', ', '), name);
    }
  });

  it('of CSV without a header have none', async () => {
    for (const text of ['North,4,9\nSouth,2,7\n', '2019,4,5\n2020,7,8\n', 'one\ntwo\n', '3.5,4\n1,2\n']) {
      const units = await unitsOf('a.csv', text);
      assert.equal(units.length, 2, text);
      assert.ok(!units.join().includes('{'), text);
    }
  });
});
