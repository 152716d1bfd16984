import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { absentWords, stillAbsent } from '../../../../src/search/retrieval/absent-words.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const index = new MemoryPassageIndex([
  notePassage('pets', 'Office > Pets', 'Dogs are welcome in the office. Ask Mara first.'),
  notePassage('traces', 'Monitoring', 'Open Telemetry collects the traces of every request.'),
  notePassage('heron', 'Heron release', 'Approved by D. Petrov on 28 February.'),
]);
const absentOf = (question: string, paths?: string[]) => absentWords(index, question, paths && { paths });
const deciding = async (question: string, paths?: string[]): Promise<string[]> =>
  (await absentOf(question, paths)).filter(({ decides }) => decides).map(({ text }) => text);

describe('words that no passage holds', () => {
  it('decide where they are names', async () => {
    assert.deepEqual(await deciding('Which header is checked for the CSRF token?'), ['CSRF']);
    assert.deepEqual(await deciding('When did the office in Narvik open?'), ['Narvik']);
  });

  it('do not decide where they are ordinary words, and are told', async () => {
    assert.deepEqual(await absentOf('Which hounds are welcome in the office?'), [{ text: 'hounds', decides: false }]);
  });

  it('decide together where little else is asked', async () => {
    assert.deepEqual(await deciding('Which hounds are welcome in the office kitchen?'), []);
    assert.deepEqual(await deciding('Which engine has the submarine?'), ['engine', 'submarine']);
    assert.deepEqual(await deciding('Is there a gym membership?'), ['gym', 'membership']);
    const hounds = [{ text: 'hounds', decides: false }];
    assert.deepEqual(await absentOf('Which library has hounds?'), hounds, 'no file calls its library one');
  });

  it('are none where they say how many', async () => {
    assert.deepEqual(await absentOf('How do I bring fewer than twelve dogs?'), []);
  });

  it('are none where they only say that something was done', async () => {
    assert.deepEqual(await absentOf('Which dogs came, and who has spoken for them?'), []);
    assert.deepEqual(await absentOf('Who owns the dogs?'), [], 'own is left out of the index');
    assert.deepEqual(await absentOf("Which dogs doesn't it need, and which won’t Mara groom?"), [
      { text: 'groom', decides: false },
    ]);
    assert.deepEqual(await absentOf('How far past the office do we want the dogs to come?'), []);
    assert.deepEqual(await absentOf('Why do we whistle at dogs, and who wants to comb them?'), []);
    assert.deepEqual(await deciding('Why do we listen on the whole kitchen?'), []);
    for (const question of ['Which dogs can swim?', 'What may bark, and who will stroll?', 'Do I need to whistle?'])
      assert.deepEqual(await absentOf(question), [], question);
  });

  it('are none in a turn of phrase', async () => {
    for (const question of [
      'Are dogs welcome out of the box?',
      'What blows up if Mara is asked from scratch?',
      'Are dogs welcome for good?',
    ])
      assert.deepEqual(await absentOf(question), [], question);
    assert.deepEqual(await absentOf('Who puts the dogs into the box?'), [{ text: 'box', decides: false }]);
    const quoted = await absentOf('Which dogs are called “out of the box”?');
    assert.deepEqual(quoted, [{ text: 'box', decides: false }]);
  });

  it('are nouns where only the words before them look like those before a verb', async () => {
    for (const [question, noun] of [
      ['Can hamsters come to the office?', 'hamsters'],
      ['Will yoga be welcome?', 'yoga'],
      ['Ask Mara first: may toddlers come to the office?', 'toddlers'],
      ['Who asks the IT team first?', 'team'],
      ['Where is the can crusher?', 'crusher'],
      ['Who approved the May picnic?', 'picnic'],
      ['Which people managers come to the office?', 'managers'],
      ['Who has access to payroll?', 'payroll'],
      ['Who replied to complaints?', 'complaints'],
    ] as const) {
      const told = (await absentOf(question)).map(({ text }) => text);
      assert.ok(told.includes(noun), `${question} ${told.join()}`);
    }
    assert.deepEqual(await deciding('Can toddlers go to yoga?'), ['toddlers', 'yoga']);
    assert.deepEqual(await deciding('Quali sono i pasti e i gatti?'), ['Quali', 'sono', 'pasti', 'gatti']);
  });

  it('are none where people at work call something so that is not called so where it stands', async () => {
    assert.deepEqual(await absentOf('Are dogs welcome in CI?'), []);
    for (const known of ['IP', 'URL', 'ID', 'OS', 'URI']) {
      assert.deepEqual(await absentOf(`Are dogs welcome at that ${known}?`), [], known);
    }
    assert.deepEqual(await absentOf('What is the ETA of the dogs?'), []);
    assert.deepEqual(await absentOf('Whose OK do two PRs with traces need?'), []);
  });

  it('are none where a passage has them in another form, or a file is called so', async () => {
    assert.deepEqual(await absentOf('Is a dog welcome at the offices?'), []);
    assert.deepEqual(await absentOf('Who approved the HERON release?'), []);
  });

  it('are none where a name is written in two words', async () => {
    assert.deepEqual(await deciding('Which requests does OpenTelemetry collect?'), []);
    assert.deepEqual(await deciding('Which requests does OpenTracing collect?'), ['OpenTracing']);
  });

  it('do not decide where a person is known by the first name', async () => {
    assert.deepEqual(await deciding('Does Mara Lindqvist allow dogs?'), []);
    assert.deepEqual(await deciding('Does Ingrid Lindqvist allow dogs?'), ['Ingrid Lindqvist']);
  });

  it('do not decide as one name among many', async () => {
    const question = 'Was the Heron release approved by Petrov before Mara asked Ingrid?';
    assert.deepEqual(await absentOf(question), [{ text: 'Ingrid', decides: false }]);
  });

  it('do not decide as an example in quotation marks', async () => {
    assert.deepEqual(await deciding('Which traces does a request named `zebra.get.js` leave?'), []);
  });

  it('are none when a file that has them came between the two looks', () => {
    const absent = [
      { text: 'kettle', decides: false },
      { text: 'Ingrid Lindqvist', decides: true },
    ];
    const found = [notePassage('rota', 'Kitchen', 'The Kettle is cleaned by Ingrid. Mara Lindqvist pays.')];
    assert.deepEqual(stillAbsent(absent, 'Has Ingrid Lindqvist a kettle?', found), [
      { text: 'Ingrid Lindqvist', decides: true },
    ]);
  });

  it('are looked for where it is looked', async () => {
    assert.deepEqual(await deciding('Which dogs did Petrov approve?'), []);
    assert.deepEqual(await deciding('Which dogs did Petrov approve?', ['notes/pets.md']), ['Petrov']);
  });

  it('are none where files speak another language than the question', () => {
    const found = [notePassage('kettle', 'Kettle', 'The kettle is in the kitchen and may be used by all.')];
    const absent = [{ text: 'Wasserkocher', decides: true }];
    assert.deepEqual(stillAbsent(absent, 'Wo ist der Wasserkocher?', found), []);
    assert.deepEqual(stillAbsent(absent, '水壶在哪里?', found), []);
    assert.deepEqual(stillAbsent(absent, 'Where is the Wasserkocher?', found), absent);
    assert.deepEqual(stillAbsent(absent, 'Wo ist der Wasserkocher?', []), absent);
    const named = [...absent, { text: 'CSRF', decides: true }];
    assert.deepEqual(stillAbsent(named, 'Wo prüft der Wasserkocher CSRF?', found), [{ text: 'CSRF', decides: true }]);
  });

  it('decide together in a script without spaces', async () => {
    assert.deepEqual(await deciding('月球基地的厨师是谁?'), ['月球', '基地', '厨师']);
  });
});
