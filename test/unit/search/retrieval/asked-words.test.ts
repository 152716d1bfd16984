import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedWords } from '../../../../src/search/retrieval/absent-words.ts';

const ofKind = (question: string, ...kinds: string[]): string[] =>
  askedWords(question)
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text);

describe('the words of a question', () => {
  it('are names of technology by their spelling, in any case', () => {
    assert.deepEqual(ofKind('Where are OpenTelemetry spans opened, and which CSRF header is read?', 'technical'), [
      'OpenTelemetry',
      'CSRF',
    ]);
    assert.deepEqual(ofKind('which zstd level does k8s use for the oauth2 proxy', 'technical'), [
      'zstd',
      'k8s',
      'oauth2',
    ]);
    assert.deepEqual(ofKind('how many days before v2 and within 24hrs of the 3pm call?', 'technical'), []);
  });

  it('are names of people and places within a sentence, and not where it begins', () => {
    assert.deepEqual(ofKind('Which hut did Mara Lindqvist keep near Narvik?', 'proper'), [
      'Mara',
      'Lindqvist',
      'Narvik',
    ]);
    assert.deepEqual(ofKind('Budget for rope: who approves it? Somebody in Tallinn?', 'proper'), ['Tallinn']);
  });

  it('are none that any question may have', () => {
    assert.deepEqual(ofKind('What happens when the relay fails?', 'word'), ['relay', 'fails']);
  });

  it('are no names for being a nation, a month or a language', () => {
    assert.deepEqual(
      ofKind('Which town does the Brazilian member live in since last October, and is it a German town?', 'proper'),
      [],
    );
  });

  it('are no names by capitals where nearly all has them, or nouns do', () => {
    assert.deepEqual(ofKind('Where Is The Budget For Winter Rope Kept?', 'proper', 'technical'), []);
    assert.deepEqual(ofKind('WHERE IS THE BUDGET FOR ROPE KEPT', 'proper', 'technical'), []);
    assert.deepEqual(ofKind('Wann hat der Wärter die Hütte gebaut?', 'proper', 'technical'), []);
  });

  it('are told from examples in quotation marks', () => {
    assert.deepEqual(ofKind('Which error is thrown for a route named `feed.get.js` in "draft"?', 'quoted'), [
      'feed',
      'js',
      'draft',
    ]);
  });

  it('leave out numbers, and what any question may have', () => {
    assert.deepEqual(
      askedWords('How many of these did anybody actually get in 2021, whatever it cost?').map(({ form }) => form),
      ['cost'],
    );
    assert.deepEqual(askedWords(''), []);
  });

  it('belong to one name where they stand side by side', () => {
    const [mara, lindqvist, heron] = askedWords('Did Mara Lindqvist approve the Heron release?').filter(
      ({ kind }) => kind === 'proper',
    );
    assert.equal(mara?.name, lindqvist?.name);
    assert.notEqual(heron?.name, mara?.name);
  });

  it('are no names for opening a question in Spanish, whatever English titles it holds', () => {
    assert.deepEqual(ofKind('¿Qué dice «Names of things» sobre «Firnline at a glance»?', 'proper', 'technical'), []);
  });

  it('are those of other languages without their stop words', () => {
    const forms = (question: string): string[] => askedWords(question).map(({ form }) => form);
    assert.deepEqual(forms('Wann hat der Wärter die Hütte gebaut?'), ['warter', 'hutte', 'gebaut']);
    assert.deepEqual(forms('Qui dirige l’entreprise ?'), ['dirige', 'entreprise']);
    assert.deepEqual(forms('哪家公司供应电池?'), ['公司', '供应', '电池']);
  });
});
