import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedListFirst, headingsAsked } from '../../../../src/research/answer/asked-list.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { Reading, ReadUnit } from '../../../../src/search/retrieval/retriever.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('a list that is asked for', () => {
  const holidays = notePassage('list', 'Perks > Observed Holidays', '- New Year\n- Labour Day\n- Harvest\n');
  const rules = notePassage(
    'rules',
    'Perks > Leave',
    'If a holiday falls on a Sunday, the office is closed on Monday.',
  );
  const unit = ({ id, text }: Passage, words: string, score: number, kind: ReadUnit['kind']): ReadUnit => {
    const start = text.indexOf(words);
    return { passageId: id, text: words, start, end: start + words.length, score, ...(kind && { kind }) };
  };
  const entries = ['- New Year', '- Labour Day', '- Harvest'];
  const reading: Reading = {
    answerability: 1,
    sentences: [
      unit(rules, rules.text, 0.8, 'sentence'),
      ...entries.toReversed().map((entry) => unit(holidays, entry, 0.01, 'item')),
    ],
  };
  const first = (question: string, read = reading): string[] | undefined =>
    askedListFirst(read, question, [rules, holidays])?.sentences.map(({ text }) => text);

  it('comes first, in its own order', () => {
    assert.deepEqual(first('On which holidays is the office closed?'), [...entries, rules.text]);
    assert.deepEqual(first('What are the holidays?'), [...entries, rules.text]);
  });

  it('has the entries with what the question names, where one has it, and is none where others speak of both', () => {
    const services = notePassage(
      'services',
      'Services',
      '- billing | Redis\n- mailer | none\n- portal | Redis\n- audit | –\n',
    );
    const says = ['alpha', 'gamma'].map((name) => notePassage(name, name, `The ${name} service uses Kafka.`));
    const all = [services, ...says];
    const read = {
      answerability: 1,
      sentences: [
        ...says.map((note) => unit(note, note.text, 0.8, 'sentence')),
        ...services.text
          .trim()
          .split('\n')
          .map((line) => unit(services, line, 0.1, 'item')),
      ],
    };
    const listed = (question: string): string[] | undefined =>
      askedListFirst(read, question, all)
        ?.sentences.filter((entry) => entry.listed)
        .map(({ text }) => text);
    assert.deepEqual(listed('Which services use Redis?'), ['- billing | Redis', '- portal | Redis']);
    assert.equal(listed('Which services use Kafka?'), undefined);
    assert.equal(listed('Which services use Postgres?')?.length, 4, 'nothing tells which');
    assert.equal(listed('Which services are there?')?.length, 4);
    assert.equal(listed('Which services do not use Redis?')?.length, 4);
    assert.equal(listed('Which services use Red?')?.length, 4, 'no part of a word');
    assert.equal(listed('Which services does Redis have?')?.length, 4, 'whose list it is');
    assert.deepEqual(listed('Which services use Redis and Portal?'), ['- portal | Redis'], 'both');
  });

  it('is headed by what is asked for, and is little else than its entries', () => {
    assert.equal(first('Which suppliers do we have?'), undefined);
    assert.equal(first('Who is in the night watch?'), undefined);
    const more = ['sentence', 'sentence', 'sentence', 'sentence'] as const;
    const text = { ...reading, sentences: [...reading.sentences, ...more.map((k) => unit(holidays, 'x', 0.1, k))] };
    assert.equal(first('What are the holidays?', text), undefined);
  });

  it('may be announced by words instead, in a text about more, or by the line of a program that it stands in', () => {
    const codes = ['- `408` - Timeout', '- `425` - Too Early', '- `429` - Too Many'];
    const readme = notePassage('readme', 'Relay > Retry', `Delays are set in ms.\n\n**Codes:**\n${codes.join('\n')}`);
    const set = notePassage('set', 'retry', 'const retryCodes = new Set([\n  408,\n  425,\n  429,\n]);', {
      kind: 'code',
      language: 'typescript',
    });
    const under = (passage: Passage, words: string, text: string, kind: ReadUnit['kind']): ReadUnit => ({
      ...unit(passage, words, 0.1, kind),
      context: { text },
    });
    const listed = (entries: readonly ReadUnit[], question: string, of: Passage): string[] | undefined =>
      askedListFirst(
        { ...reading, sentences: [unit(readme, 'Delays are set in ms.', 0.6, 'sentence'), ...entries.toReversed()] },
        question,
        [readme, of],
      )?.sentences.map(({ text }) => text);
    const items = codes.map((code) => under(readme, code, '**Codes:**', 'item'));
    assert.deepEqual(listed(items, 'Which codes are retried?', readme), [...codes, 'Delays are set in ms.']);
    const numbers = ['408', '425', '429'].map((code) => under(set, code, 'const retryCodes = new Set', 'statement'));
    assert.deepEqual(listed(numbers, 'Which retry codes are there?', set), [
      '408',
      '425',
      '429',
      'Delays are set in ms.',
    ]);
    const calls = notePassage('calls', 'codes', 'function codes() {\n  open();\n  read();\n  close();\n}');
    const body = ['open();', 'read();', 'close();'].map((call) => under(calls, call, 'function codes()', 'statement'));
    assert.equal(listed(body, 'Which codes are retried?', calls), undefined, 'the body of a function is no list');
  });

  it('has of a file of data only what stands below its key', () => {
    const data = { kind: 'data', language: 'yaml' } as const;
    const kiln = notePassage('kiln', 'permissions', 'name: kiln\non: push\npermissions:\n  fire: read\n', data);
    const keepers = notePassage('keepers', 'permissions', 'permissions:\n  - fire\n  - rake\n  - load\n', data);
    const under = (passage: Passage, words: string, text?: string): ReadUnit => ({
      ...unit(passage, words, 0.1, 'field'),
      ...(text !== undefined && { context: { text } }),
    });
    const asked = (units: ReadUnit[], of: Passage): string[] | undefined =>
      askedListFirst(
        { ...reading, sentences: [unit(rules, rules.text, 0.8, 'sentence'), ...units] },
        'Which permissions are there?',
        [rules, of],
      )?.sentences.map(({ text }) => text);
    const mixed = [under(kiln, 'name: kiln'), under(kiln, 'on: push'), under(kiln, 'fire: read', 'permissions')];
    assert.equal(asked(mixed, kiln), undefined);
    const entries = ['- fire', '- rake', '- load'];
    const below = entries.map((entry) => under(keepers, entry, 'permissions'));
    assert.deepEqual(asked(below, keepers), [...entries, rules.text]);
  });

  it('is what stands under the headings of a whole whose parts are asked for, of two what is called mandatory', () => {
    const [due, more] = ['Mandatory', 'Optional'].map((heading) =>
      notePassage(
        heading,
        `Runbooks > What you should include > ${heading}`,
        `${heading} owner\n${heading} hours\n${heading} pager`,
      ),
    );
    const about = notePassage('about', 'Runbooks', 'A runbook should be short.');
    assert.ok(due && more);
    const lines = (passage: Passage): string[] => passage.text.split('\n');
    const sentences = [
      unit(about, about.text, 0.8, 'sentence'),
      ...[more, due].flatMap((passage) => lines(passage).map((line) => unit(passage, line, 0.1, 'field'))),
    ];
    const asked = (question: string): ReadUnit[] | undefined =>
      askedListFirst({ ...reading, sentences }, question, [about, more, due])?.sentences;
    const must = asked('What must be in a runbook?');
    assert.deepEqual(
      must?.slice(0, 4).map(({ text }) => text),
      [...lines(due), about.text],
    );
    assert.deepEqual(must?.map(({ listed }) => listed ?? false).slice(0, 4), [true, true, true, false]);
    assert.deepEqual(
      asked('What should a runbook include?')
        ?.slice(0, 3)
        .map(({ text }) => text),
      lines(more),
    );
    assert.equal(asked('What must be in a logbook?'), undefined);
  });

  it('has as many entries as the question says', () => {
    assert.deepEqual(first('Which three holidays are there?'), [...entries, rules.text]);
    assert.deepEqual(first('On which 3 holidays is it closed?'), [...entries, rules.text]);
    assert.equal(first('Which five holidays are there?'), undefined);
  });

  it('stays as it is where one of its entries leads already', () => {
    const led = { ...reading, sentences: [unit(holidays, '- Harvest', 0.9, 'item'), ...reading.sentences] };
    assert.equal(first('What are the holidays?', led), undefined);
  });
});

describe('a list of headings that is asked for', () => {
  const text = [
    '# Committees and working groups',
    '',
    'Groups meet on Mondays.',
    '',
    '## Standing committees',
    '',
    '### Conduct',
    '',
    'It hears complaints.',
    '',
    '## Working groups',
    '',
    'They come and go.',
    '',
    '### [Media](https://media.example)',
    '',
    'It makes films.',
    '',
    '### Docs ###',
    '',
    'It writes.',
    '',
    '#### Members',
    '',
    '```',
    '### No group',
    '```',
    '',
    '### Radio',
    '',
    'It sends.',
    '',
    '## Former ones',
    '',
    '### Flags',
  ];
  const part = (id: string, from: number, to: number): Passage => ({
    ...notePassage(id, 'Committees and working groups > Working groups', text.slice(from, to).join('\n')),
    path: 'groups.md',
    startLine: from + 1,
    endLine: to,
  });
  const parts = [part('a', 0, 13), part('b', 13, 22), part('c', 22, text.length)];

  it('are those right below one that is called so, in the order of the file', async () => {
    const of = async (question: string): Promise<string[] | undefined> =>
      (await headingsAsked(question, parts.slice(1, 2), () => Promise.resolve(parts.toReversed())))?.map(
        (unit) => unit.text,
      );
    assert.deepEqual(await of('Which working groups are there?'), ['[Media](https://media.example)', 'Docs', 'Radio']);
    assert.equal(await of('Which standing committees are there?'), undefined, 'one is no list');
    assert.equal(await of('Which films are there?'), undefined);
    assert.equal(await of('Which keepers are in working groups?'), undefined, 'keepers are asked for');
  });

  it('are none where the heading is called so in the singular', async () => {
    const pages = ['# InsecureVersion', '## Meaning', 'It is old.', '## Impact', 'None.', '## Mitigation', 'Update.'];
    const page = { ...notePassage('p', 'InsecureVersion > Meaning', pages.join('\n')), path: 'InsecureVersion.md' };
    const question = 'Which insecure versions are there?';
    assert.equal(await headingsAsked(question, [page], () => Promise.resolve([page])), undefined);
    const plural = {
      ...page,
      title: 'Insecure versions > Meaning',
      text: pages.join('\n').replace('InsecureVersion', 'Insecure versions'),
    };
    assert.equal((await headingsAsked(question, [plural], () => Promise.resolve([plural])))?.length, 3);
  });
});
