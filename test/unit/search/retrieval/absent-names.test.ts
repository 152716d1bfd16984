import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { absentNames, absentWords, stillAbsent } from '../../../../src/search/retrieval/absent-names.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const index = new MemoryPassageIndex([
  notePassage('pets', 'Office > Pets', 'Dogs are welcome in the office. Ask Mara first.'),
  notePassage('traces', 'Monitoring', 'Open Telemetry collects the traces of every request.'),
  notePassage(
    'ids',
    'Devices',
    'Gateway 7c9e6679-7425-40de-944b-e07fc1f90ae7 at 10.0.4.17, built from 9f8e7d6, v2.4.1-rc2.',
  ),
]);
const absentOf = (question: string, paths?: string[]) => absentNames(index, question, paths && { paths });
const textsOf = async (question: string, paths?: string[]): Promise<string[]> =>
  (await absentOf(question, paths)).map(({ text }) => text);

describe('names and identifiers that no passage holds', () => {
  it('are told as the question writes them, and decide', async () => {
    assert.deepEqual(await absentOf('Which header is checked for the CSRF token?'), [{ text: 'CSRF', decides: true }]);
    assert.deepEqual(await absentOf('When did the office in Narvik open?'), [{ text: 'Narvik', decides: true }]);
  });

  it('are no ordinary words', async () => {
    for (const question of ['Which hounds are welcome in the office?', 'Is there a gym membership?', 'Hounds?'])
      assert.deepEqual(await textsOf(question), [], question);
  });

  it('are there in another form, in two words, or as a heading', async () => {
    for (const question of ['What does OpenTelemetry collect?', 'Where are Dogs welcome?', 'Which Pets may come?'])
      assert.deepEqual(await textsOf(question), [], question);
  });

  it('of several words are absent if the first and half of them are', async () => {
    assert.deepEqual(await textsOf('May the dogs of Mara Lindqvist come?'), []);
    assert.deepEqual(await textsOf('May the dogs of Nils Lindqvist come?'), ['Nils Lindqvist']);
  });

  it('do not decide where most others are there', async () => {
    assert.deepEqual(await absentOf('Do Mara, OpenTelemetry or Narvik welcome dogs?'), [
      { text: 'Narvik', decides: false },
    ]);
  });

  it('are wholes where they are exact identifiers', async () => {
    const ids =
      '0a1b2c3d-1111-2222-3333-444455556666 aa:bb:cc:dd:ee:ff 10.0.4.1 10.250.250.250 1a2b3c4 v2.4.1 v9.99.9-rc9 OPS-1234';
    for (const id of ids.split(' '))
      assert.deepEqual(await absentOf(`What has the gateway to do with ${id}?`), [{ text: id, decides: true }]);
    for (const none of ['the top-10 list', '24.12.2024', '2024-12-24', '12.5 percent', 'port 8080'])
      assert.deepEqual(await absentOf(`What has the gateway to do with ${none}?`), [], none);
    for (const id of ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '10.0.4.17', '9f8e7d6', 'v2.4.1-rc2'])
      assert.deepEqual(await absentOf(`What has the gateway to do with ${id}?`), [], id);
  });

  it('are looked for where is searched', async () => {
    assert.deepEqual(await textsOf('Which dogs may Mara groom?', ['notes/traces.md']), ['Mara']);
  });

  it('are still absent unless a passage that was found says them, or all are in another language', () => {
    const absent = [
      { text: 'Narvik', decides: true },
      { text: 'CSRF', decides: true },
    ];
    const said = (text: string) => [notePassage('p', 'Note', text)];
    const question = 'When did the office in Narvik check the CSRF token of the people?';
    assert.deepEqual(stillAbsent(absent, question, said('The office in Narvik is open for the people.')), [absent[1]]);
    const german = said('Das Büro ist für die Leute und den Hund von heute bis morgen offen, und das ist gut so.');
    assert.deepEqual(stillAbsent(absent, question, german), [absent[1]]);
  });
});

describe('words of a query that no passage holds', () => {
  const wordsOf = (query: string, paths?: string[]) => absentWords(index, query, paths && { paths });

  it('are told whatever they are, in any form and each once', async () => {
    assert.deepEqual(await wordsOf('csrf token of the trace, csrf'), ['csrf', 'token']);
    assert.deepEqual(await wordsOf('office dog request'), []);
  });

  it('are those of the folder that is asked', async () => {
    assert.deepEqual(await wordsOf('traces dogs', ['notes/pets.md']), ['traces']);
    assert.deepEqual(await wordsOf('traces dogs', ['notes']), []);
  });
});
