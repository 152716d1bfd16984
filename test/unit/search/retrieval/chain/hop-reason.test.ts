import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage, PassageLink } from '../../../../../src/search/domain/passage.ts';
import { reasonInWords } from '../../../../../src/search/domain/reason-words.ts';
import { explainHop } from '../../../../../src/search/retrieval/chain/hop-reason.ts';
import { profilePassage } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/question.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const passage = (title: string, text: string, links: PassageLink[] = [], extra: Partial<Passage> = {}): Passage =>
  notePassage(title, title, text, {
    path: `${title}.md`,
    startLine: 10,
    endLine: 10 + text.split('\n').length - 1,
    links,
    ...extra,
  });

const explain = (question: string, ...passages: Passage[]): ReturnType<typeof explainHop> =>
  explainHop(
    profileQuestion(question, undefined, [], 0),
    passages.map((each) => profilePassage(each)),
  );

const slice = (of: Passage, span: { start: number; end: number } | undefined): string | undefined =>
  span && of.text.slice(span.start, span.end);

describe('explainHop', () => {
  it('starts from what the question names', () => {
    const film = passage('Free Guy', 'Free Guy is a film of 2021.');
    const why = explain('Who directed Free Guy?', film);
    assert.equal(why.kind, 'question');
    assert.equal(why.from, undefined);
    assert.deepEqual(why.terms, ['Free Guy']);
    assert.equal(slice(film, why.toSpan), 'Free Guy');
  });

  it('follows a link and says on which line it stands', () => {
    const outage = passage('Outage', 'All was down.\nSee [[Heron release]] for the cause.', [
      { kind: 'wikilink', target: 'Heron release', line: 11, path: 'Heron release.md' },
    ]);
    const heron = passage('Heron release', 'The Heron release moved sessions.');
    const why = explain('What caused the outage?', outage, heron);
    assert.equal(why.kind, 'link');
    assert.match(reasonInWords(why).text, /links to “Heron release” on line 11/);
    assert.equal(slice(outage, why.fromSpan), 'Heron release');
    assert.equal(slice(heron, why.toSpan), 'Heron release');
  });

  it('takes no link apart where none leads from one passage to the other', () => {
    const links: PassageLink[] = [{ kind: 'wikilink', target: 'Heron release', line: 10, path: 'Heron release.md' }];
    const profiles = [passage('Outage', 'See [[Heron release]].', links), passage('Lunch', 'Soup.', links)].map(
      (each) => profilePassage(each),
    );
    let looks = 0;
    for (const { passage: of } of profiles) Object.defineProperty(of, 'links', { get: () => ((looks += 1), links) });
    assert.equal(explainHop(profileQuestion('', undefined, [], 0), profiles).kind, 'meaning');
    assert.equal(looks, 0);
  });

  it('names a passage of several sections by what they are sections of', () => {
    const outage = passage('Outage > Cause, To do', 'See [[Heron release]].', [
      { kind: 'wikilink', target: 'Heron release', line: 10, path: 'Heron release.md' },
    ]);
    const why = explain(
      'What caused the outage?',
      outage,
      passage('Heron release', 'The Heron release moved sessions.'),
    );
    assert.match(reasonInWords(why).text, /^“Outage” links to “Heron release” on line 10$/);
  });

  it('follows a call in code, and a link back', () => {
    const kind = 'function';
    const caller = passage(
      'send',
      'def send():\n    merge_settings(a, b)',
      [{ kind: 'call', target: 'merge_settings', line: 11 }],
      { kind, language: 'python', path: 'src/sessions.py' },
    );
    const callee = passage(
      'merge_settings',
      'def merge_settings(a, b):\n    return a',
      [{ kind: 'define', target: 'merge_settings', line: 10 }],
      { kind, language: 'python', path: 'src/merge.py' },
    );
    assert.match(reasonInWords(explain('How does it send?', caller, callee)).text, /uses “merge_settings” on line 11/);
    const back = explain('What merges?', callee, caller);
    assert.equal(back.kind, 'backlink');
    assert.equal(slice(caller, back.toSpan), 'merge_settings');
  });

  it('finds a named title in either direction, however it is written', () => {
    const film = passage('Forbidden Ground', 'A film directed by PÁL GÁBOR in 1985.');
    const director = passage('Pál Gábor', 'A Hungarian director.');
    const why = explain('Who made Forbidden Ground?', film, director);
    assert.equal(why.kind, 'title');
    assert.equal(slice(film, why.fromSpan), 'PÁL GÁBOR');
    const reverse = explain('Who is he?', director, passage('Angi Vera', 'Directed by Pál Gábor.'));
    assert.equal(reverse.kind, 'title');
    assert.match(reasonInWords(reverse).text, /names “Pál Gábor”/);
  });

  it('names the other side of a comparison', () => {
    const why = explain(
      'Which is older, Arno Works or Brill Mill?',
      passage('Arno Works', 'Arno Works opened in 1901.'),
      passage('Brill Mill', 'It opened in 1899.'),
    );
    assert.equal(why.kind, 'question');
    assert.match(reasonInWords(why).text, /also asks about “Brill Mill”/);
  });

  it('falls back on a shared name, then on meaning', () => {
    const first = passage('Canteen', 'Soup is cooked by Marta Quill.');
    const second = passage('Staff', 'Marta Quill has extension 12.');
    const why = explain('Where is the soup?', first, second);
    assert.equal(why.kind, 'term');
    assert.equal(slice(first, why.fromSpan), 'Marta Quill');
    assert.equal(slice(second, why.toSpan), 'Marta Quill');
    assert.equal(explain('where is it?', first, passage('Parking', 'bicycles go behind.')).kind, 'meaning');
  });

  it('never says half of a name with a figure', () => {
    const changes = passage('Changes', 'v4 gets security fixes until December.');
    assert.deepEqual(explain('until when are security fixes for v4?', changes).terms.sort(), ['fixes', 'security']);
  });

  it('never says a stop word: neither of a question, nor a title, nor a name', () => {
    const about = passage('About', 'The mesh carries sessions.');
    const mesh = passage('Mesh', 'All there is about “because” and `when` and the mesh.');
    const said = passage('Staff', 'Here “because” and `when` are written, too.');
    const gruppe = passage('Über uns', 'Wir sind die Wache. Was man über die Akkus weiß, steht hier und nicht dort.');
    const lager = passage('Lager', 'Über uns liegt das Lager, und über die Akkus weiß man nichts.');
    const stops = new Set(['about', 'because', 'when', 'what', 'über', 'uber', 'uns', 'über uns', 'was', 'que', 'qué']);
    const agua = passage('Agua', 'Qué dice el informe sobre el agua: que no hay agua para todos en la casa.');
    for (const [question, ...passages] of [
      ['What is “about” here?', about, mesh],
      ['What is “about” here?', mesh, about],
      ['What says “because” or “when”?', mesh],
      ['Where is soup?', mesh, said],
      ['Was sagt Marta über Akkus?', gruppe],
      ['Was sagt Marta über Akkus?', gruppe, lager],
      ['Was sagt Marta über Akkus?', lager, gruppe],
      ['¿Qué dice Marta sobre agua?', agua],
    ] as const) {
      const why = explain(question, ...passages);
      assert.deepEqual(
        why.terms.filter((term) => stops.has(term.toLowerCase())),
        [],
        `${question} ${reasonInWords(why).text}`,
      );
    }
    assert.deepEqual(explain('Was sagt Marta über Akkus?', gruppe).terms, ['Akkus']);
  });
});
