import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

describe('units of markup', () => {
  it('of Markdown begin with front matter only where a key is there', async () => {
    const text = '---\n\n# Harbour rules\n\nEvery boat registers.\n\n---\n\n## Contacts\n\nCall Ada.\n';
    assert.deepEqual(await unitsOf('rules.md', text), ['sentence Every boat registers.', 'sentence Call Ada.']);
    const [passage] = await passagesOf('rules.md', text);
    assert.match(passage?.title ?? '', /^Harbour rules/);
    assert.deepEqual(await unitsOf('a.md', '---\n# of this page\nowner: Ada\n---\nText.\n'), [
      'field owner: Ada',
      'sentence Text.',
    ]);
  });

  it('of Markdown are below titles as they are written, whatever YAML makes of them', async () => {
    for (const [written, title] of [
      ['Minutes: the harbour board', 'Minutes: the harbour board'],
      ['[draft] Plan: the quay', '[draft] Plan: the quay'],
      ['"Quay: part 2"\nnote: Re: the lamps', 'Quay: part 2'],
      ["'It's late'", "It's late"],
      ['>-\n  Rules of\n  the harbour', 'Rules of the harbour'],
      ['1.10', '1.10'],
      ['007', '007'],
      ['@home', '@home'],
    ] as const) {
      const text = `---\naliases: [2.50]\ntitle: ${written}\nalias:\n- Tide: tables\n---\n\nText.\n`;
      const [passage] = await passagesOf('a.md', text);
      assert.equal(passage?.title, title);
      const names = passage?.links.filter(({ kind }) => kind === 'define').map(({ target }) => target);
      assert.deepEqual(names, ['2.50', 'Tide: tables', title], written);
    }
  });

  it('of Markdown know the headings behind a quotation whose fence is not closed', async () => {
    const text = `# Guide\n\n> Run this:\n> \`\`\`sh\n> gate open\n\n## Fees\n\n${'A night costs 40 kroner. '.repeat(90)}\n`;
    const titles = (await passagesOf('guide.md', text)).map(({ title }) => title);
    assert.ok(titles.includes('Guide > Fees'), titles.join());
  });

  it('of what is indented below a box, a tab or a footnote are those of a text, below its title', async () => {
    const text = [
      '!!! note "Calibration"',
      '',
      '    The gauge must be calibrated before it is',
      '    connected. Else it is wrong.',
      '',
      '    - Ask the keeper.',
      '',
      '=== "Linux"',
      '    Install the package.',
      '',
      '    ```sh',
      '    apt install gate',
      '    ```',
      '',
      '??? tip',
      '',
      '    Wait.',
      '',
      '[^long]: The keeper lives far',
      '    away.',
      '',
      '    He comes by boat.',
      '',
      'Run this so:',
      '',
      '    gate open',
      '',
    ].join('\n');
    const units = await unitsOf('guide.md', text);
    for (const unit of [
      'sentence {!!! note "Calibration"} Else it is wrong.',
      'item {!!! note "Calibration"} Ask the keeper.',
      'sentence {??? tip} Wait.',
      'sentence {[^long]: The keeper lives far away.} He comes by boat.',
      'statement {Run this so:} gate open',
    ])
      assert.ok(units.includes(unit), `${unit}: ${units.join('\n')}`);
  });
});
