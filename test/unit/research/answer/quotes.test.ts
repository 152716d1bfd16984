import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractiveAnswer } from '../../../../src/research/answer/extractive-answer.ts';
import { formatLead, formatQuote, withFolders } from '../../../../src/research/answer/passage-lines.ts';
import type { Quote } from '../../../../src/research/answer/quote.ts';
import { selectQuotes } from '../../../../src/research/answer/select-quotes.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { Reading, ReadUnit } from '../../../../src/search/retrieval/retriever.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';
import { quoteOf } from './quote-of.ts';

describe('quotes of several files of one name', () => {
  it('say in which folder each lies, as far as it tells them apart, and no others do', () => {
    const constant = (path: string): Quote => {
      const text = 'const (\n\tTimeout = 30\n)';
      const code = notePassage(path, 'Timeout', text, { kind: 'function', language: 'go', path });
      return quoteOf(code, text, { kind: 'constant' });
    };
    const places = (...paths: string[]): (string | undefined)[] =>
      withFolders(paths.map(constant)).flatMap((quote) => [
        formatLead(quote, '[1]').split('\n').at(-1),
        formatQuote(quote, '[1]').split('\n')[0],
      ]);
    const [sftp, dav] = ['`sftp/client.go:1` [1]', '`dav/client.go:1` [1]'];
    assert.deepEqual(places('src/sftp/client.go', 'src/dav/client.go'), [sftp, sftp, dav, dav]);
    const alone = '`client.go:1` [1]';
    assert.deepEqual(places('src/sftp/client.go', 'src/sftp/client.go'), [alone, alone, alone, alone]);
    assert.deepEqual(places('a/x/c.go', 'b/x/c.go', 'd.go').slice(2), [
      '`b/x/c.go:1` [1]',
      '`b/x/c.go:1` [1]',
      '`d.go:1` [1]',
      '`d.go:1` [1]',
    ]);
  });

  it('do so in an answer, also where the parts of a question found them', async () => {
    const client = (id: string): Passage =>
      notePassage(id, 'Client', `const ${id}Timeout = [\n  30,\n];`, {
        kind: 'function',
        language: 'typescript',
        path: `src/${id}/client.ts`,
      });
    const { answer } = await runResearch('What is the sftp timeout, and what is the dav timeout?', {
      retriever: new ScriptedRetriever([client('sftp'), client('dav')], {
        scripts: {
          'sftp timeout': { chain: ['sftp'], reading: readingOf(client('sftp')) },
          'dav timeout?': { chain: ['dav'], reading: readingOf(client('dav')) },
        },
      }),
    });
    assert.match(answer?.text ?? '', /`sftp\/client\.ts:1` \[1\]/);
    assert.match(answer?.text ?? '', /`dav\/client\.ts:1` \[2\]/);
  });
});

/** One unit, which answers. */
const readingOf = ({ id, text }: Passage): Partial<Reading> => ({
  answerability: 0.9,
  sentences: [{ passageId: id, start: 0, end: text.length, text, score: 0.9, kind: 'constant' }],
});

describe('an example of code in a note', () => {
  it('is quoted as code', () => {
    const note = notePassage('fetch', 'Fetch', 'Retry so:\n\n```ts\nawait get(url, {\n  retry: 3,\n});\n```\n');
    const quote = quoteOf(note, 'await get(url, {\n  retry: 3,\n});', { kind: 'statement' });
    assert.equal(formatLead(quote, '[1]'), '```\nawait get(url, {\n  retry: 3,\n});\n```\n\n`fetch.md:4` [1]');
    assert.equal(formatQuote(quoteOf(note, 'retry: 3', { kind: 'statement' }), '[1]'), '`retry: 3` [1]');
  });
});

describe('sentences that stand alike in several places', () => {
  it('say under which heading they do', () => {
    const passages = ['Dental', 'Life', 'Pets'].map((kind) =>
      notePassage(kind, `Perks > ${kind}`, kind === 'Pets' ? 'We pay a tenth.' : 'We pay all of it.'),
    );
    const sentences = passages.map(({ id, text }) => ({ passageId: id, text, start: 0, end: text.length, score: 1 }));
    const reading: Reading = { answerability: 1, sentences };
    assert.deepEqual(
      selectQuotes(reading, passages, 'answer').map((quote) => formatQuote(quote, '[1]')),
      ['“Dental › We pay all of it.” [1]', '“Life › We pay all of it.” [1]', '“We pay a tenth.” [1]'],
    );
  });
});

describe('a sentence that leads and points back', () => {
  const led = (text: string, lead: string): string | undefined => {
    const note = notePassage('note', 'Vouchers', text);
    const parts = text.split(/(?<=\.)\s+/u);
    const sentences = parts.map((part) => ({
      passageId: 'note',
      text: part,
      start: text.indexOf(part),
      end: text.indexOf(part) + part.length,
      score: part === lead ? 0.9 : 0.05,
      kind: 'sentence' as const,
    }));
    sentences.sort((a, b) => b.score - a.score);
    return selectQuotes({ answerability: 1, sentences }, [note], 'answer', 1).find(({ leads }) => leads)?.text;
  };

  it('is shown with the sentence before, which says what it is about', () => {
    const notes = 'Keepers get vouchers.\nThey come in notes of £5.';
    assert.equal(led(notes, 'They come in notes of £5.'), notes);
    for (const lead of ['This takes a year.', 'It is ten.', 'These are due in May.', 'That would be a week.'])
      assert.equal(led(`We buy ropes. ${lead} More follows.`, lead), `We buy ropes. ${lead}`);
  });

  it('stands alone where it points at nothing, names what it is about, or begins a paragraph', () => {
    for (const lead of [
      'It is best to ask Mara.',
      'This process takes a year.',
      'These ropes are new.',
      'Ropes are new.',
    ])
      assert.equal(led(`We buy ropes. ${lead}`, lead), lead);
    assert.equal(led('We buy ropes.\n\nThey are new.', 'They are new.'), 'They are new.');
    const long = `${'We buy ropes, '.repeat(30)}all of them.`;
    assert.equal(led(`${long} They are new.`, 'They are new.'), 'They are new.');
  });
});

describe('what a comment says of two names', () => {
  it('are two quotes, and two sentences of it are one', () => {
    const text = 'delay : int\n    Seconds to wait.\nbell : bool\n    Rings.\nIt rings.\nIt waits.';
    const passage = {
      ...notePassage('gate', 'Gate', text),
      path: 'gate.py',
      language: 'python',
      kind: 'function' as const,
    };
    const parts = ['delay : int\n    Seconds to wait.', 'bell : bool\n    Rings.', 'It rings.', 'It waits.'];
    const sentences = parts.map((part) => ({
      passageId: 'gate',
      text: part,
      start: text.indexOf(part),
      end: text.indexOf(part) + part.length,
      score: 1,
      kind: 'comment' as const,
    }));
    const quoted = selectQuotes({ answerability: 1, sentences }, [passage], 'answer').map(({ text: said }) => said);
    assert.deepEqual(quoted, [parts[0], `${parts[1]}\nIt rings.\nIt waits.`]);
  });
});

describe('an entry of a list that only a heading announces', () => {
  it('says under which heading it stands: that may forbid it', () => {
    const text =
      '## OK\n\n1. Play in a band.\n\n## Not OK\n\n1. Sell to a rival. That is a conflict.\n\nSo:\n\n- Ask first.';
    const note = notePassage('side', 'Work > On the side', text);
    const readingOf = (lines: readonly string[], passage: Passage): Reading => ({
      answerability: 1,
      sentences: lines.map((line) => {
        const start = passage.text.indexOf(line);
        return { passageId: passage.id, start, end: start + line.length, text: line, score: 1, kind: 'item' };
      }),
    });
    const shown = (lines: readonly string[], passage = note): string[] =>
      selectQuotes(readingOf(lines, passage), [passage], 'answer').map((quote) => formatQuote(quote, '[1]'));
    assert.deepEqual(shown(['Play in a band.', 'Sell to a rival. That is a conflict.', 'Ask first.']), [
      '“OK › Play in a band.” [1]',
      '“Not OK › Sell to a rival. That is a conflict.” [1]',
      '“Ask first.” [1]',
    ]);
    const rest = notePassage('more', 'Work > Not OK', '- Take a bribe.\n- Sleep.');
    assert.deepEqual(shown(['- Sleep.'], rest), ['“Not OK › Sleep.” [1]'], 'the list goes on in this passage');
    const anchored = notePassage('ways', 'Work > Ways', '## `Ways` of *work* {#ways}\n\n- Walk.\n- Ride.');
    assert.deepEqual(shown(['Walk.'], anchored), ['“Ways of work › Walk.” [1]'], 'as people read it');
  });
});

describe('a comment that is copied from place to place', () => {
  it('is shown once, a line of code wherever it stands', () => {
    const passages = ['group', 'command'].map((name) =>
      notePassage(name, name, 'hidden = false\n# Hides it from the help.', { kind: 'code', language: 'python' }),
    );
    const unit = (kind: ReadUnit['kind'], words: string, score: number): ReadUnit[] =>
      passages.map(({ id, text }) => {
        const start = text.indexOf(words);
        return { passageId: id, start, end: start + words.length, text: words, score, kind };
      });
    const sentences = [...unit('comment', 'Hides it from the help.', 1), ...unit('statement', 'hidden = false', 0.9)];
    const reading: Reading = { answerability: 1, sentences };
    assert.deepEqual(
      selectQuotes(reading, passages, 'answer').map(({ passage, text }) => [passage.id, text]),
      [
        ['group', 'hidden = false'],
        ['group', 'Hides it from the help.'],
        ['command', 'hidden = false'],
      ],
    );
  });
});

describe('an entry that stands in several lists of settings', () => {
  it('is shown once, a field of its own in each', () => {
    const passages = ['lint', 'test'].map((name) =>
      notePassage(name, name, 'size: 4\n- cache-v4', { kind: 'data', language: 'yaml' }),
    );
    const sentences = passages.flatMap(({ id }, i): ReadUnit[] => [
      { passageId: id, start: 8, end: 18, text: '- cache-v4', score: 1 - i / 10, kind: 'field' },
      { passageId: id, start: 0, end: 7, text: 'size: 4', score: 0.8 - i / 10, kind: 'field' },
    ]);
    const reading: Reading = { answerability: 1, sentences };
    assert.deepEqual(
      selectQuotes(reading, passages, 'answer').map(({ passage, text }) => [passage.id, text]),
      [
        ['lint', 'size: 4'],
        ['lint', '- cache-v4'],
        ['test', 'size: 4'],
      ],
    );
  });
});

describe('a unit with its context', () => {
  it('of a list stands behind what it belongs to', () => {
    const list = notePassage('list', 'Leave', '- On leave:\n  - Mara until 4 May\n- Tides\n  - Spring: 9 m');
    const away = quoteOf(list, '- Mara until 4 May', { kind: 'item', context: { text: '- On leave:' } });
    assert.equal(formatQuote(away, '[1]'), '“On leave: Mara until 4 May” [1]');
    const tide = quoteOf(list, '- Spring: 9 m', { kind: 'item', context: { text: 'Tides' } });
    assert.equal(formatLead(tide, '[1]'), '> Tides › Spring: 9 m [1]');
    const then = quoteOf(list, '- Mara until 4 May', { kind: 'item', context: { text: 'Then:' } });
    assert.equal(formatQuote(then, '[1]'), '“Mara until 4 May” [1]', 'what stands above says nothing');
  });

  it('of an example in a text stands below the words that announce it, as words', () => {
    const note = notePassage(
      'runbook',
      'Secrets',
      'Old passwords are kept, see **history**:\n\n    $ get -n mast\n    - id: 7\n',
    );
    const context = { text: 'Old passwords are kept, see **history**:' };
    const line = quoteOf(note, '$ get -n mast', { kind: 'statement', context });
    assert.equal(formatQuote(line, '[1]'), 'Old passwords are kept, see **history**: `$ get -n mast` [1]');
    assert.match(
      formatLead(line, '[1]'),
      /^Old passwords are kept, see \*\*history\*\*:\n\n```\n\$ get -n mast\n```\n\n`/,
    );
  });

  it('of a program stands below its signature, which says where it is left out', () => {
    const text = 'function run(task: Task): number {\n  const id = task.id;\n  return 501;\n}';
    const code = notePassage('run', 'run', text, { path: 'src/run.ts', kind: 'function', language: 'typescript' });
    const context = { text: 'function run(task: Task): number {', start: 0, end: 34 };
    const inner = quoteOf(code, 'return 501;', { kind: 'statement', context });
    assert.equal(
      formatLead(inner, '[1]'),
      '```typescript\nfunction run(task: Task): number {\n  …\n  return 501;\n```\n\n`run.ts:3` [1]',
    );
    assert.equal(formatQuote(inner, '[1]'), '`return 501;` in `function run(task: Task): number {` [1]');
    const first = quoteOf(code, 'const id = task.id;', { kind: 'statement', context });
    assert.doesNotMatch(formatLead(first, '[1]'), /…/, 'nothing lies between');
    const deep = '\t\t\tif (high) {\n\t\t\t\topen();\n\t\t\t}';
    const gate = notePassage('gate', 'gate', `func gate() {\n${deep}\n}`, { kind: 'function', path: 'gate.go' });
    const within = quoteOf(gate, deep.trim(), { kind: 'statement', context: { text: 'func gate()' } });
    const shown = 'func gate()\n  …\n  if (high) {\n  \topen();\n  }\n';
    assert.ok(formatLead(within, '[1]').includes(shown), 'however deep it stands');
  });
});

describe('quotes', () => {
  const list = notePassage('crew', 'Crew', 'The crew:\n\n- Mara\n- Ola\n\nThey row. They sing.');
  const reading = (texts: readonly (readonly [string, ReadUnit['kind']?])[]): Reading => ({
    answerability: 0.9,
    sentences: texts.map(([text, kind], i) => ({
      passageId: list.id,
      start: list.text.indexOf(text),
      end: list.text.indexOf(text) + text.length,
      text,
      score: 1 - i / 100,
      ...(kind !== undefined && { kind }),
    })),
  });
  const answerOf = (texts: readonly (readonly [string, ReadUnit['kind']?])[]): string =>
    extractiveAnswer(
      {
        question: 'Who rows?',
        chain: { hops: [], score: 0, completeness: 0 },
        hits: [],
        passages: [list],
        reading: reading(texts),
        coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
      },
      'answer',
    ).text;

  it('keep the items of a list apart, and join sentences that go on', () => {
    assert.equal(
      answerOf([['The crew:'], ['- Mara'], ['- Ola'], ['They row.'], ['They sing.']]),
      '> The crew: [1]\n\n- “Mara” [2]\n- “Ola” [3]\n- “They row. They sing.” [4]',
    );
  });

  it('are numbered in reading order, whichever leads', () => {
    assert.equal(
      answerOf([['They sing.', 'comment'], ['The crew:'], ['- Mara']]),
      '> They sing. [3]\n\n- “The crew:” [1]\n- “Mara” [2]',
    );
  });

  it('that announce an example bring it along', () => {
    const text =
      'Name the file.  Its failures are shown with ``-v``:\n\n.. tab:: Unix\n\n   .. code-block:: shell\n\n    ' +
      '  run -v gates\n\nMore is told elsewhere.\n\n   run\n';
    const note = notePassage('run', 'Running', text, { language: 'restructuredtext' });
    const unit = (words: string, score: number, kind: ReadUnit['kind']): ReadUnit => {
      const start = text.indexOf(words);
      return { passageId: note.id, text: words, start, end: start + words.length, score, ...(kind && { kind }) };
    };
    const of = (first: string): string[] => {
      const sentences = [
        unit(first, 1, 'sentence'),
        unit('run -v gates', 0.01, 'statement'),
        unit('run\n', 0.01, 'statement'),
      ];
      const reading: Reading = { answerability: 1, sentences };
      return selectQuotes(reading, [note], 'answer', 1).map((quote) => quote.text);
    };
    assert.deepEqual(of('Name the file.'), ['Name the file.', 'run -v gates']);
    assert.deepEqual(of('More is told elsewhere.'), ['More is told elsewhere.'], 'it announces nothing');
  });

  it('of one example are announced once', () => {
    const head = 'See what was kept:';
    const text = `${head}\n\n    $ get -n mast\n    - id: 7\n      at: noon\n    - id: 9\n`;
    const note = notePassage('runbook', 'Secrets', text);
    const line = (words: string, score: number, context: string): ReadUnit => {
      const start = text.indexOf(words);
      const end = start + words.length;
      return { passageId: note.id, text: words, start, end, score, kind: 'statement', context: { text: context } };
    };
    const sentences = [
      line('$ get -n mast', 1, head),
      line('at: noon', 0.9, `${head} › - id: 7`),
      line('- id: 9', 0.8, head),
    ];
    assert.equal(
      extractiveAnswer(
        {
          question: 'What was kept of the mast?',
          chain: { hops: [], score: 0, completeness: 0 },
          hits: [],
          passages: [note],
          reading: { answerability: 1, sentences },
          coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
        },
        'answer',
      ).text,
      `${head}\n\n\`\`\`\n$ get -n mast\n\`\`\`\n\n\`runbook.md:3\` [1]\n\n- id: 7 › \`at: noon\` [2]\n- \`- id: 9\` [3]`,
    );
  });

  it('that announce a list bring all of it along, and say nothing twice', () => {
    const head = 'A freeze is right if all of this is so:';
    const text = `Freezes cost much.\n\n${head}\n\n- It is short.\n- It is the last:\n  - of this year.\n`;
    const note = notePassage('freeze', 'Freezes', text);
    const unit = (words: string, score: number, above?: string): ReadUnit => {
      const start = text.indexOf(words);
      const end = above === undefined ? 0 : text.indexOf(above) + above.length;
      const said = above === head || above === undefined ? above : `${head} › ${above}`;
      return {
        passageId: note.id,
        text: words,
        start,
        end: start + words.length,
        score,
        kind: above === undefined ? 'sentence' : 'item',
        ...(above !== undefined && said !== undefined && { context: { text: said, start: text.indexOf(above), end } }),
      };
    };
    const sentences = [
      unit(head, 1),
      unit('Freezes cost much.', 0.9),
      unit('It is short.', 0.01, head),
      unit('It is the last:', 0.01, head),
      unit('of this year.', 0.01, 'It is the last:'),
    ];
    const evidence = {
      question: 'Who rows?',
      chain: { hops: [], score: 0, completeness: 0 },
      hits: [],
      passages: [note],
      reading: { answerability: 1, sentences } as const,
      coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
    };
    assert.equal(
      extractiveAnswer(evidence, 'answer').text,
      `> ${head} [1]\n\n- “It is short.” [2]\n- “It is the last:” [3]\n- “It is the last: of this year.” [4]\n- “Freezes cost much.” [5]`,
    );
    const entries = sentences.filter(({ kind }) => kind === 'item').slice(0, 2);
    const alone = { ...evidence, reading: { ...evidence.reading, sentences: entries } };
    assert.equal(
      extractiveAnswer(alone, 'list').text,
      `- “${head} It is short.” [1]\n- “It is the last:” [2]`,
      'what stands above two entries is said once',
    );
    const led = [unit('It is the last:', 1, head), unit(head, 0.9), unit('It is short.', 0.8, head)];
    assert.equal(
      extractiveAnswer({ ...evidence, reading: { ...evidence.reading, sentences: led } }, 'answer').text,
      `> ${head} It is the last: [2]\n\n- “It is short.” [1]`,
      'an entry that leads has said what stands above it',
    );
  });

  it('join nothing of different kinds', () => {
    assert.equal(
      answerOf([['The crew:'], ['They row.', 'sentence'], ['They sing.', 'comment']]),
      '> The crew: [1]\n\n- “They row.” [2]\n- “They sing.” [3]',
    );
  });

  it('are led by two sides, unless the second is far behind', () => {
    const boat = notePassage('boat', 'Boat', 'The boat has two oars.');
    const leadOf = (score: number): string | undefined =>
      extractiveAnswer(
        {
          question: 'Who rows?',
          chain: { hops: [], score: 0, completeness: 1 },
          hits: [],
          passages: [list, boat],
          reading: {
            ...reading([]),
            sentences: [
              ...reading([['They row.']]).sentences,
              { passageId: boat.id, start: 0, end: boat.text.length, text: boat.text, score },
            ],
          },
          coverage: { files: 2, passages: 2, embedded: 2, indexing: false },
        },
        'sides',
      ).lead?.text;
    assert.equal(leadOf(0.4), '> They row. [1]\n\n> The boat has two oars. [2]');
    assert.equal(leadOf(0.2), '> They row. [1]');
  });

  it('are led by the best unit, on whatever hop, unless it lacks what is asked for', () => {
    const boat = notePassage('boat', 'Boat', 'The boat has two oars.');
    const hop = (passage: Passage, from?: number) => ({
      passage,
      score: 1,
      why: { kind: 'question' as const, text: '', terms: [], ...(from !== undefined && { from }) },
    });
    const leadOf = (score: number, fits?: boolean): string | undefined =>
      extractiveAnswer(
        {
          question: 'Who rows?',
          chain: { hops: [hop(list), hop(boat, 0)], score: 0, completeness: 1 },
          hits: [],
          passages: [list, boat],
          reading: {
            ...reading([['They row.']]),
            sentences: [
              ...reading([['They row.']]).sentences,
              {
                passageId: boat.id,
                start: 0,
                end: boat.text.length,
                text: boat.text,
                score,
                ...(fits !== undefined && { fits }),
              },
            ],
          },
          coverage: { files: 2, passages: 2, embedded: 2, indexing: false },
        },
        'answer',
      ).lead?.text;
    assert.equal(leadOf(0.4), '> They row. [1]');
    assert.equal(leadOf(0.4, false), '> They row. [1]');
  });
});

describe('the quotes of an answer at the end of a trail', () => {
  const passages = [
    notePassage('outage', 'Outage', 'The mast froze. It stands under [[mast]]. It was cold.'),
    notePassage('mast', 'Mast', 'Grey. The cells are made by Halden. Tall.'),
    notePassage('halden', 'Halden', 'Call 461. Ask for Hamish.'),
  ];
  const unit = (at: number, text: string, score: number): ReadUnit => {
    const { id = '', text: whole = '' } = passages[at] ?? {};
    return { passageId: id, text, start: whole.indexOf(text), end: whole.indexOf(text) + text.length, score };
  };
  const spanOf = (at: number, words: string) => {
    const start = passages[at]?.text.indexOf(words) ?? 0;
    return { start, end: start + words.length };
  };
  const hops = passages.map((passage, i) => ({
    passage,
    score: 1,
    why: {
      kind: 'link' as const,
      terms: [],
      ...(i > 0 && { from: i - 1, fromSpan: spanOf(i - 1, ['[[mast]]', 'Halden'][i - 1] ?? '') }),
    },
  }));
  const shown = (score: number): string[] => {
    const sentences = [
      unit(2, 'Call 461.', score),
      unit(0, 'The mast froze.', 0.9),
      unit(0, 'It stands under [[mast]].', 0.01),
      unit(1, 'The cells are made by Halden.', 0.01),
      unit(1, 'Grey.', 0.02),
    ];
    const reading: Reading = { answerability: 1, sentences };
    sentences.sort((a, b) => b.score - a.score);
    return selectQuotes(reading, passages, 'answer', 1, hops).map(({ text }) => text);
  };

  it('are also those that name each next passage on the way to it', () => {
    assert.deepEqual(shown(1), [
      'The mast froze. It stands under [[mast]].',
      'The cells are made by Halden.',
      'Call 461.',
    ]);
  });

  it('are not, where what leads stands at its beginning', () => {
    assert.deepEqual(shown(0.5), ['The mast froze.', 'Call 461.']);
  });
});

describe('the quotes of an answer', () => {
  const boats = notePassage('boats', 'Boats', 'Two oars.\n\nThree thwarts.\n\nBlue paint.');
  const sheds = notePassage('sheds', 'Sheds', 'One door.\n\nNo window.');
  const told = (said: [Passage, string, number][]): string[] => {
    const sentences: ReadUnit[] = said.map(([passage, text, score]) => {
      const start = passage.text.indexOf(text);
      return { passageId: passage.id, start, end: start + text.length, text, score };
    });
    const reading: Reading = { sentences, answerability: 1 };
    return selectQuotes(reading, [boats, sheds], 'answer', 1).map((quote) => quote.text);
  };

  it('are all units that are likely enough to answer, and the best of each passage', () => {
    const shown = told([
      [boats, 'Two oars.', 0.6],
      [boats, 'Three thwarts.', 0.16],
      [sheds, 'One door.', 0.13],
      [boats, 'Blue paint.', 0.12],
      [sheds, 'No window.', 0.11],
    ]);
    assert.deepEqual(shown, ['Two oars.', 'Three thwarts.', 'One door.']);
  });

  it('leave out a passage that has nothing near the best', () => {
    assert.deepEqual(
      told([
        [boats, 'Two oars.', 0.9],
        [sheds, 'One door.', 0.1],
      ]),
      ['Two oars.'],
    );
  });
});
