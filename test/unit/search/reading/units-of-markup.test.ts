import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

describe('units of markup', () => {
  it('are below no directive that stands on its own, and below none of another section', async () => {
    const text = [
      '# Guide',
      '',
      '::youtube[How the gate opens]{id=abc}',
      '',
      'The keeper rings the bell.',
      '',
      '::note[Mind the tide]',
      'It turns twice.',
      '::',
      '',
      ':::tip Fees',
      '',
      'Pay at the office.',
      '',
      '## Hours',
      '',
      'The office closes at six.',
      '',
      ':::',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('gates.md', text), [
      'sentence The keeper rings the bell.',
      'sentence {Mind the tide} It turns twice.',
      'sentence {Fees} Pay at the office.',
      'sentence The office closes at six.',
    ]);
  });

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
    assert.deepEqual(await unitsOf('guide.md', text), [
      'sentence {Calibration} The gauge must be calibrated before it is\n    connected.',
      'sentence {Calibration} Else it is wrong.',
      'item {Calibration} Ask the keeper.',
      'sentence {Linux} Install the package.',
      'statement {Linux} apt install gate',
      'sentence Wait.',
      'sentence [^long]: The keeper lives far\n    away.',
      'sentence {[^long]: The keeper lives far away.} He comes by boat.',
      'sentence Run this so:',
      'statement {Run this so:} gate open',
    ]);
  });

  it('of reStructuredText go on where the text of a directive does, and take two colons for an announcement', async () => {
    const text = [
      '.. note:: The gauge must be calibrated before it is',
      '   connected to the network. Wait.',
      '',
      '.. versionadded:: 2.1',
      '   The limit.',
      '',
      '.. deprecated:: 3.0 Use the lock.',
      '',
      '.. image:: gate.png',
      '   :alt: The gate',
      '',
      'Call it like this',
      '::',
      '',
      '    gate open',
      '',
      'Or call it so:',
      '',
      '::',
      '',
      '    gate close',
      '',
      'Words',
      '=====',
      '',
      'More.',
      '',
    ].join('\n');
    assert.deepEqual(await unitsOf('gate.rst', text), [
      'sentence The gauge must be calibrated before it is\n   connected to the network.',
      'sentence Wait.',
      'sentence 2.1\n   The limit.',
      'sentence 3.0 Use the lock.',
      'sentence Call it like this\n::',
      'statement {Call it like this:} gate open',
      'sentence Or call it so:',
      'statement {Or call it so:} gate close',
      'sentence More.',
    ]);
  });
});
