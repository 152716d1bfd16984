import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../../src/search/domain/passage.ts';
import type { Unit, UnitKind } from '../../../../../src/search/domain/unit.ts';
import { readChainScorerWeights } from '../../../../../src/search/retrieval/chain-scorer.ts';
import { SourceText } from '../../../../../src/search/reading/text/source-text.ts';
import { markdownUnits } from '../../../../../src/search/reading/formats/markdown/markdown-units.ts';
import { createRetriever } from '../../../../../src/search/retrieval/create-retriever.ts';
import { profilePassage } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/features/question-profile.ts';
import { FeatureChainScorer } from '../../../../../src/search/retrieval/feature-chain-scorer.ts';
import { fittingFirst } from '../../../../../src/search/retrieval/reader/fitting-first.ts';
import { readReaderWeights } from '../../../../../src/search/retrieval/reader/read-passages.ts';
import { sentencesOf } from '../../../../../src/search/retrieval/reader/read-units.ts';
import type { Reading } from '../../../../../src/search/retrieval/retriever.ts';
import { MemoryPassageIndex } from '../../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';
import { WordEmbedder } from '../../../../doubles/word-embedder.ts';

/** A note whose lines are its units; the first line of a table is the header cells of its rows. */
function noteOf(id: string, title: string, lines: readonly [UnitKind, string][], header?: string): Passage {
  const text = [...(header ? [header, '|---|---|'] : []), ...lines.map(([, line]) => line)].join('\n');
  const units = lines.map(([kind, line]): Unit => {
    const start = text.indexOf(line);
    const context =
      header && kind === 'row' ? { text: header.replace(/^\| | \|$/g, ''), start: 0, end: header.length } : undefined;
    return { start, end: start + line.length, kind, ...(context && { context }) };
  });
  return { ...notePassage(id, title, text), units };
}

async function read(
  question: string,
  notes: readonly Passage[],
  reader = readReaderWeights('models/reader.json'),
): Promise<Reading> {
  const embedder = new WordEmbedder();
  const vectors = await embedder.embedPassages(notes.map(({ title, text }) => `${title}\n${text}`));
  const retriever = createRetriever({
    index: new MemoryPassageIndex(notes.map((passage, i) => ({ ...passage, vector: vectors[i] }))),
    embedder,
    scorer: new FeatureChainScorer(readChainScorerWeights('models/chain-scorer.json')),
    reader,
    now: () => 0,
  });
  return retriever.read(
    question,
    notes.map(({ id }) => id),
  );
}

describe('units that lead', () => {
  it('are the row whose label the question names', async () => {
    const insurance = noteOf(
      'insurance',
      'Health insurance',
      [
        ['row', '| Employee | 20 EUR a month |'],
        ['row', '| Family | 90 EUR a month |'],
        ['row', '| Partner | 45 EUR a month |'],
      ],
      '| Who | Monthly premium |',
    );
    const { sentences } = await read('What is the monthly premium for a partner?', [insurance]);
    assert.equal(sentences[0]?.text, '| Partner | 45 EUR a month |');
  });

  it('are of the section that the question names, where sections have the same keys', async () => {
    const sections = ['production', 'staging'];
    const lines = sections.flatMap((name) => [
      `${name}:`,
      '  database:',
      `    host: db-${name.slice(0, 4)}.example`,
      '    days: 30',
    ]);
    const text = lines.join('\n');
    const units = sections.flatMap((name) =>
      [`host: db-${name.slice(0, 4)}.example`, 'days: 30'].map((line): Unit => {
        const start = text.indexOf(line, text.indexOf(`${name}:`));
        return { start, end: start + line.length, kind: 'field', context: { text: `${name} › database` } };
      }),
    );
    const deploy = {
      ...notePassage('deploy', sections.join(', '), text),
      kind: 'data' as const,
      language: 'yaml',
      units,
    };
    for (const name of sections)
      for (const question of [`What is the database host of ${name}?`, `${name}.database.host`]) {
        const [first, ...others] = (await read(question, [deploy])).sentences;
        assert.equal(first?.text, `host: db-${name.slice(0, 4)}.example`, question);
        assert.deepEqual(
          others.filter(({ text: line }) => line.startsWith('host')).map(({ fits }) => fits),
          [false],
          question,
        );
      }
    const both = (await read('Which database hosts are there?', [deploy])).sentences;
    assert.ok(
      both.every(({ fits }) => fits !== false),
      'neither is meant',
    );
  });

  it('are no heading that is written as a paragraph in bold', async () => {
    const votes = noteOf('votes', 'Votes', [
      ['sentence', '**Schedule of the votes on the jetty**'],
      ['sentence', '**The jetty is voted on in May.**'],
      ['sentence', 'Until then nobody builds.'],
    ]);
    const { sentences } = await read('What is the schedule of the votes on the jetty?', [votes]);
    assert.equal(sentences[0]?.text, '**The jetty is voted on in May.**');
    assert.equal(sentences.find(({ text }) => text.includes('Schedule'))?.fits, false);
  });

  it('carry an answer where no joint encoder read them', async () => {
    const { unreadFound, ...weights } = readReaderWeights('models/reader.json');
    assert.ok(unreadFound);
    const crane = noteOf('crane', 'Crane', [
      ['field', 'inspector: Bo Reyes'],
      ['field', 'inspected: 4 May'],
      ['item', 'The crane is locked at night because children climb on it.'],
    ]);
    const asked = 'Why is the crane locked?';
    const [own, encoders] = [
      await read(asked, [crane], { ...weights, unreadFound }),
      await read(asked, [crane], weights),
    ];
    assert.equal(own.sentences[0]?.text, 'The crane is locked at night because children climb on it.');
    assert.ok(own.answerability > 0.5, String(own.answerability));
    assert.ok(encoders.answerability < 0.3, 'what learnt from units that it had read takes them for poor ones');
  });

  it('are the field whose key is asked for, and not the one that gives back the name', async () => {
    const joren = noteOf('joren', 'Joren Vask', [
      ['field', 'name: Joren Vask'],
      ['field', 'since: 11 January'],
      ['field', 'extension: 440'],
    ]);
    const { sentences } = await read('What is the extension of Joren Vask?', [joren]);
    assert.equal(sentences[0]?.text, 'extension: 440');
    assert.equal(sentences.find(({ text }) => text.startsWith('name'))?.fits, false);
  });

  it('hold a length where one is asked for, and say of the others that they do not', async () => {
    const captain = noteOf('captain', 'Release captain', [
      ['item', '- The captain assigns somebody to handle backports'],
      ['item', '- How the captain is chosen'],
      ['sentence', 'Each captain rotation lasts about eight weeks.'],
    ]);
    const { sentences } = await read('How long is a captain the captain?', [captain]);
    assert.equal(sentences[0]?.text, 'Each captain rotation lasts about eight weeks.');
    assert.deepEqual(
      sentences.map(({ fits }) => fits),
      [true, false, false],
    );
  });

  it('are a sentence of a long row, under the column that it stands in, also where the first header cell is empty', async () => {
    const long = 'Tests are run on every change by a server that nobody touches. '.repeat(6).trim();
    const table = [
      '| | Level 1 | Level 2 | Level 3 |',
      '|---|---|---|---|',
      `| Testing | ${long} | ditto | Coverage is measured. |`,
      `| Security | Dependencies are watched. ${long} | Backups are encrypted at rest. | ditto |`,
    ].join('\n');
    const placed = { ...notePassage('levels', 'Levels', table), units: markdownUnits(new SourceText(table), 1) };
    const { sentences } = await read('At which level are backups encrypted at rest?', [placed]);
    assert.equal(sentences[0]?.text, 'Backups are encrypted at rest.');
    assert.equal(sentences[0]?.context?.text, 'Security › Level 2');
    const contextsAs = (text: string) => placed.units.map((unit) => ({ ...unit, context: { text } }));
    const ask = async (units: Unit[]): Promise<string | undefined> =>
      (await read('At which level are backups encrypted at rest?', [{ ...placed, units }])).sentences[0]?.context?.text;
    const torn = placed.units.map((unit) => ({ ...unit, context: { text: unit.context?.text ?? '' } }));
    assert.equal(await ask(torn), 'Security › Level 2', 'its header stands in another passage');
    assert.equal(await ask(contextsAs('Level 1 | Level 2 | Level 3')), 'Security', 'as many cells as columns, or none');
  });

  it('have more of the question than others', async () => {
    const leave = noteOf('leave', 'Family leave', [
      ['sentence', 'If you become the primary caregiver of a child, you can take up to 16 weeks leave at 100 % pay.'],
      ['sentence', 'If you become the secondary caregiver of a child, you can take up to 6 weeks leave at 100 % pay.'],
    ]);
    const { sentences } = await read('How many weeks of leave does a secondary caregiver get?', [leave]);
    assert.match(sentences[0]?.text ?? '', /secondary/);
  });

  it('are the line that announces a list, unless an entry says more of the question', async () => {
    const head = 'A freeze of the gates is acceptable if all of this is so:';
    const text = `${head}\n\n- The freeze lasts for a day.\n- Work is planned that makes it the last one.`;
    const unitOf = (kind: UnitKind, words: string): Unit => {
      const start = text.indexOf(words);
      const context = kind === 'item' ? { text: head, start: 0, end: head.length } : undefined;
      return { start, end: start + words.length, kind, ...(context && { context }) };
    };
    const freeze = {
      ...notePassage('freeze', 'Freezes', text),
      units: [
        unitOf('sentence', head),
        unitOf('item', 'The freeze lasts for a day.'),
        unitOf('item', 'Work is planned that makes it the last one.'),
      ],
    };
    const led = await read('Under which conditions is a freeze of the gates acceptable?', [freeze]);
    assert.equal(led.sentences[0]?.text, head);
    const named = await read('Which freeze lasts for how long?', [freeze]);
    assert.equal(named.sentences[0]?.text, 'The freeze lasts for a day.');
  });

  it('name somebody where it is asked who has a role', async () => {
    const centre = noteOf('centre', 'Watch centre', [
      ['sentence', 'The watch centre runs day and night and answers to incidents of the harbour.'],
      ['sentence', 'The owner of the watch is currently Joren Vask.'],
    ]);
    const { sentences } = await read('Who runs the watch centre?', [centre]);
    assert.deepEqual(
      sentences.filter(({ fits }) => fits).map(({ text }) => text),
      ['The owner of the watch is currently Joren Vask.'],
    );
  });

  it('name somebody else than whom the question leaves aside', async () => {
    const group = noteOf('group', 'Harbour group', [
      ['item', '- Mara Tennant ([@mara](https://example.org/mara))'],
      ['item', '- Ines Marlow ([@ines](https://example.org/ines))'],
      ['item', '- @joren'],
    ]);
    const { sentences } = await read('Besides Mara Tennant, who runs the harbour group?', [group]);
    assert.deepEqual(
      new Set(sentences.filter(({ fits }) => fits).map(({ text }) => text.slice(2, 6))),
      new Set(['Ines', '@jor']),
    );
  });

  it('have the version of the thing that is asked for, where one of them names it', async () => {
    const needs = noteOf('needs', 'Needs of the till', [
      ['field', 'till version: 0.4.0'],
      ['field', 'printer version: 2.33.0'],
    ]);
    const { sentences } = await read('Which printer version does the till need?', [needs]);
    assert.equal(sentences[0]?.text, 'printer version: 2.33.0');
    const other = await read('Which scanner version does the till need?', [needs]);
    assert.ok(
      other.sentences.every(({ fits }) => fits),
      'none names a scanner',
    );
  });

  it('tell the reason where one is asked for, and not only what it is of', async () => {
    const lines: [UnitKind, string][] = [
      ['sentence', 'Large boats are moored at the outer jetty first.'],
      ['sentence', 'This keeps the fairway open while they turn.'],
      ['sentence', 'Small ones follow in the evening.'],
    ];
    const moor = noteOf('moor', 'Mooring', lines);
    const why = await read('Why are large boats moored first at the outer jetty?', [moor]);
    assert.equal(why.sentences[0]?.text, 'This keeps the fairway open while they turn.');
    const where = await read('Which boats are moored first at the outer jetty?', [moor]);
    assert.equal(where.sentences[0]?.text, 'Large boats are moored at the outer jetty first.');
    const told = noteOf('told', 'Mooring', [
      ['sentence', 'Large boats are moored at the outer jetty first because they need room to turn.'],
      ...lines.slice(1),
    ]);
    const both = await read('Why are large boats moored first at the outer jetty?', [told]);
    assert.match(both.sentences[0]?.text ?? '', /because/, 'the line gives it itself');
  });

  it('tell the reason that stands elsewhere, where it is almost as sure, and no entry of a list', () => {
    const rule = 'Large boats are moored first at the outer jetty.';
    const reason = 'Large boats lie outside so that they have room to turn.';
    const question = profileQuestion('Why are large boats moored first at the outer jetty?', undefined, [], 0);
    const leading = (kind: UnitKind, line: string, support: number, as: Partial<Passage> = {}): string | undefined => {
      const why = { ...noteOf('why', 'Turning', [[kind, line]]), ...as };
      const notes = [noteOf('rule', 'Mooring', [['sentence', rule]]), why];
      const units = sentencesOf(notes.map((note) => profilePassage(note)));
      const scored = units.map((unit, i) => ({ ...unit, support: i === 0 ? 0.9 : support }));
      return [...fittingFirst(question, scored)].sort((a, b) => b.support - a.support)[0]?.text;
    };
    assert.equal(leading('sentence', reason, 0.85), reason);
    assert.equal(leading('sentence', reason, 0.7), rule, 'much less sure');
    assert.equal(leading('item', reason, 0.85), rule, 'an entry');
    assert.equal(leading('sentence', 'Large boats lie at the outer jetty.', 0.85), rule, 'no reason');
    const code = { kind: 'code', language: 'go', path: 'jetty.go' } as const;
    assert.equal(leading('statement', 'reason := berth.Otherwise(boat)', 0.85, code), rule, 'a name in a program');
    assert.equal(leading('comment', `// ${reason}`, 0.85, code), `// ${reason}`);
  });

  it('are the row that holds the number asked for, however sure another row of its table is', () => {
    const rows: [UnitKind, string][] = [
      ['row', '| svc-1199 | team-15 | 11199 |'],
      ['row', '| svc-1999 | team-1 | 11999 |'],
      ['row', '| svc-0099 | team-1999 | 10099 |'],
    ];
    const table = noteOf('table', 'Services', rows, '| service | team | port |');
    const prices = noteOf('prices', 'Prices', [['row', '| service | 20 EUR |']], '| what | price |');
    const fitting = (question: string): string[] => {
      const units = sentencesOf([table, prices].map((note) => profilePassage(note)));
      const scored = units.map((unit) => ({ ...unit, support: unit.text.includes('11199') ? 0.9 : 0.5 }));
      const profile = profileQuestion(question, undefined, [], 1);
      return fittingFirst(profile, scored).flatMap(({ fits, text }) => (fits ? [text] : []));
    };
    const [first = '', second = '', third = ''] = rows.map(([, text]) => text);
    const price = '| service | 20 EUR |';
    assert.deepEqual(fitting('Which service has the port 11999?'), [second, price], 'other tables stay');
    assert.equal(fitting('Which service has svc-1999 and 11999, not 10099?').length, 4, 'beside it');
    assert.deepEqual(fitting('Which service is it, svc-1199 or svc-0099?'), [first, third, price]);
    assert.deepEqual(
      fitting('Is svc-1199 the service with port 11999?'),
      [first, second, price],
      'each has what the other has not',
    );
    assert.deepEqual(fitting('Which service has a port above 11199?'), [first, second, third, price]);
    assert.deepEqual(fitting('Which service has the port 12345?'), [first, second, third, price], 'in no row');
    assert.deepEqual(fitting('Which service has team 15?'), [first, price], 'its words');
    assert.deepEqual(fitting('Which service has not team 15?'), [first, second, third, price]);
  });

  it('are of what a column is called too, and all rows where several are asked for', () => {
    const fitting = (header: string, lines: readonly string[], question: string): string[] => {
      const table = noteOf(
        'table',
        'Table',
        lines.map((line) => ['row', line]),
        header,
      );
      const units = sentencesOf([profilePassage(table)]).map((unit) => ({ ...unit, support: 0.5 }));
      return fittingFirst(profileQuestion(question, undefined, [], 1), units).flatMap(({ fits, text }) =>
        fits ? [text] : [],
      );
    };
    const sales = ['| Sales | 10 | 12 |', '| Rent | 1 | 1 |', '| Bonds due 2023 | 5 | 0 |'];
    assert.deepEqual(fitting('| Item | 2022 | 2023 |', sales, 'What was made by sales in 2023?'), sales.slice(0, 1));
    const people = ['| Ann | employee relations | Berlin |', '| Bob | sales | Berlin |', '| Cid | sales | Bonn |'];
    assert.deepEqual(fitting('| name | team | town |', people, 'Which employees work in Berlin?'), people.slice(0, 2));
    assert.deepEqual(fitting('| name | team | town |', people, 'Who of sales works in Bonn?'), people.slice(2));
  });

  it('have an identifier whole, and not as others have its parts', async () => {
    const text = '// StopNoSpace: no space is added.\nStopNoSpace\n// StopNoFile: no file is offered.\nStopNoFile\n';
    const constants: Passage = {
      ...notePassage('stop', 'stop.go', text, { kind: 'code', language: 'go', path: 'stop.go' }),
      units: [
        { kind: 'comment', start: 0, end: 46 },
        { kind: 'comment', start: 47, end: text.length - 1 },
      ],
    };
    for (const name of ['StopNoSpace', 'StopNoFile']) {
      const { sentences } = await read(`What does ${name} mean?`, [constants]);
      assert.ok(sentences.find(({ fits }) => fits)?.text.includes(name), name);
    }
  });

  it('are not refused where they hold the kind of thing and most of the words that are asked for', async () => {
    const desk = noteOf('desk', 'Office', [
      ['sentence', 'During your first year, you can spend up to 3,000 dollars on a new desk.'],
      ['sentence', 'The kitchen is on the second floor.'],
    ]);
    const { answerability } = await read('How much can I spend on a desk in my first year?', [desk]);
    assert.ok(answerability >= 0.5, String(answerability));
    const other = await read('How much can I spend on a garden in Antarctica?', [desk]);
    assert.ok(other.answerability < 0.5, String(other.answerability));
  });

  it('are none where no line holds the kind of thing that is asked for', async () => {
    const help = noteOf('help', 'Support', [
      ['sentence', 'A lead helps others and disables what is active without need.'],
      ['sentence', 'The environment of the team is variable.'],
    ]);
    const { answerability } = await read('Which environment variable disables active help?', [help]);
    assert.equal(answerability, 0);
  });

  it('are the line that says under which condition, where one asks when to do something', async () => {
    const board = noteOf('board', 'The board', [
      ['sentence', 'The board has a flag.'],
      ['sentence', 'If a change costs more than the budget allows, ask the board.'],
    ]);
    const { answerability, sentences } = await read('When must I ask the board?', [board]);
    assert.ok(answerability > 0);
    assert.match(sentences[0]?.text ?? '', /^If a change/);
  });

  it('are none where nothing that was read has a word of what the number is of', async () => {
    const leave = noteOf('leave', 'How long do you take?', [
      ['sentence', 'For more than two weeks of leave, tell us three months before.'],
    ]);
    assert.equal((await read('How long is a sabbatical?', [leave])).answerability, 0);
    assert.ok((await read('How long before my leave do I tell you?', [leave])).answerability > 0);
  });

  it('are of a passage that has a word of the question, where one has the name of what is measured', async () => {
    const condor = noteOf('condor', 'Timeline', [
      ['sentence', 'Project Condor went live on 5 March 2024.'],
      ['sentence', 'Project Condor was shut down on 30 June 2024.'],
    ]);
    const otter = noteOf('otter', 'Daemons', [['sentence', 'The otter daemon restarts every 19 minutes.']]);
    const { sentences } = await read('How long was Project Condor live?', [condor, otter]);
    assert.equal(sentences[0]?.passageId, 'condor');
    const other = await read('How long does it take until a process comes back?', [condor, otter]);
    assert.equal(other.sentences[0]?.passageId, 'otter', 'in other words, and of nothing that has a name');
  });

  it('are of the program and not of its tests, unless those are asked for', async () => {
    const code = (id: string, path: string, text: string): Passage => ({
      ...notePassage(id, path, text, { kind: 'code', language: 'python', path }),
      units: [{ kind: 'statement', start: 0, end: text.length }],
    });
    const passages = [
      code('test', 'tests/test_agent.py', "assert 'user agent' in request.headers  # the default user agent is set"),
      code('source', 'relay/agent.py', "headers['user agent'] = DEFAULT_AGENT"),
    ];
    const first = async (question: string): Promise<string | undefined> =>
      (await read(question, passages)).sentences[0]?.passageId;
    assert.equal(await first('Where is the default user agent set?'), 'source');
    assert.equal(await first('Which test asserts that the default user agent is set?'), 'test');
    const within = 'fn test_default_agent() {\n    let agent = Agent::default();\n}\nlet agent = DEFAULT_AGENT;';
    const span = (words: string) => ({ start: within.indexOf(words), end: within.indexOf(words) + words.length });
    const rust: Passage = {
      ...notePassage('rust', 'agent', within, { kind: 'code', language: 'rust', path: 'src/agent.rs' }),
      units: [
        { kind: 'statement', ...span('let agent = Agent::default();'), context: { text: 'fn test_default_agent()' } },
        { kind: 'statement', ...span('let agent = DEFAULT_AGENT;') },
      ],
    };
    const { sentences } = await read('Which agent is the default?', [rust]);
    assert.equal(sentences.find(({ fits }) => fits)?.text, 'let agent = DEFAULT_AGENT;');
  });

  const programOf = (lines: readonly [UnitKind, string, string?][]): Passage => {
    const text = lines.map(([, line]) => line).join('\n\n');
    const units = lines.map(([kind, line, context]): Unit => {
      const start = text.indexOf(line);
      return { kind, start, end: start + line.length, ...(context !== undefined && { context: { text: context } }) };
    });
    return { ...notePassage('code', 'retry', text, { kind: 'code', language: 'python', path: 'retry.py' }), units };
  };

  it('are a default where that is asked for, also one that a constant names', async () => {
    const program = programOf([
      [
        'statement',
        'wait_longer(multiplier=0.5, max=60)  # at most 60 s, the maximum',
        'class wait_random(wait_longer)',
      ],
      ['default', 'max: float = MAX_WAIT,', 'class wait_longer › def __init__'],
    ]);
    const { sentences } = await read('What is the default maximum of wait_longer?', [program]);
    assert.equal(sentences[0]?.text, 'max: float = MAX_WAIT,');
  });

  it('are what is done under a condition, where that is asked for, and not the class of its error', async () => {
    const program = programOf([
      ['signature', 'class RelayMissingError(Exception):'],
      ['comment', '"""A relay that is missing."""', 'class RelayMissingError(Exception)'],
      ['signature', 'def connect_relay(url, missing=None):'],
      ['statement', 'relay = find_relay(url, missing)', 'def connect_relay(url, missing=None)'],
      ['error', 'if relay is None:\n    raise RelayMissingError(url)', 'def connect_relay(url, missing=None)'],
      ['statement', 'log.warning(url)', 'def connect_relay(url, missing=None) › except RelayMissingError'],
    ]);
    const { sentences } = await read('What happens when the relay is missing?', [program]);
    assert.match(sentences[0]?.text ?? '', /^if relay is None/);
    assert.deepEqual(
      sentences.filter(({ fits }) => fits).map(({ kind }) => kind),
      ['error', 'statement'],
    );
  });

  it('are as they were where none holds what is asked for', async () => {
    const captain = noteOf('captain', 'Release captain', [
      ['sentence', 'The captain leads the release.'],
      ['sentence', 'Rope is bought in Tallinn.'],
    ]);
    const { sentences } = await read('How long is a captain the captain?', [captain]);
    assert.deepEqual(
      sentences.map(({ fits }) => fits),
      [true, true],
    );
  });

  it('are a comment and the line below it together', async () => {
    const text =
      '/** Milliseconds between two attempts. */\nretryDelay: 500,\n\n// Where pages are written.\n\noutput: "dist",\n';
    const unitOf = (kind: UnitKind, part: string): Unit => ({
      kind,
      start: text.indexOf(part),
      end: text.indexOf(part) + part.length,
    });
    const options: Passage = {
      ...notePassage('options', 'defaults', text, { kind: 'code', language: 'typescript', path: 'options.ts' }),
      units: [
        unitOf('comment', '/** Milliseconds between two attempts. */'),
        unitOf('default', 'retryDelay: 500,'),
        unitOf('comment', '// Where pages are written.'),
        unitOf('default', 'output: "dist",'),
      ],
    };
    const { sentences } = await read('How many milliseconds lie between two attempts?', [options]);
    assert.equal(sentences[0]?.text, '/** Milliseconds between two attempts. */\nretryDelay: 500,');
    assert.equal(sentences[0]?.kind, 'default');
    assert.equal(sentences.length, 3, 'a comment with a blank line below it stands alone');
  });

  it('are the sentence of a long cell, with the label of its row and the header above it', async () => {
    const filler = 'Applications are sent to the office on paper, signed by the applicant and by nobody else. '.repeat(
      3,
    );
    const leave = noteOf(
      'leave',
      'Leave',
      [['row', `| Parental leave | ${filler}A primary caregiver gets 16 weeks. A secondary caregiver gets 4 weeks. |`]],
      '| Kind | What it means |',
    );
    const { sentences } = await read('How many weeks does a secondary caregiver get?', [leave]);
    assert.equal(sentences[0]?.text, 'A secondary caregiver gets 4 weeks.');
    assert.equal(sentences[0]?.kind, 'sentence');
    assert.equal(sentences[0]?.context?.text, 'Parental leave › What it means');
    assert.equal(leave.text.slice(sentences[0]?.start, sentences[0]?.end), sentences[0]?.text);
  });
});
