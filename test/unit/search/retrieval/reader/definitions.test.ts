import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { UnitKind } from '../../../../../src/search/domain/unit.ts';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { definitionsOf, explainedName } from '../../../../../src/search/retrieval/reader/definitions.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

describe('what a name is', () => {
  it('is asked in a few shapes, of what looks like a name', () => {
    const names: Record<string, string | undefined> = {
      'What is a SugaredLogger?': 'SugaredLogger',
      "What's a SugaredLogger?": 'SugaredLogger',
      'What’s a SugaredLogger?': 'SugaredLogger',
      'what does `debounce` do': 'debounce',
      'What does debounce() do?': 'debounce',
      'What is the Session class used for?': 'Session',
      'Explain retry_after.': 'retry_after',
      'What is Session.get?': 'Session.get',
      BufferedWriteSyncer: 'BufferedWriteSyncer',
      'What is a logger?': undefined,
      'What is the default timeout?': undefined,
      'What does Session.get return when the key is missing?': undefined,
      'Who wrote Session?': undefined,
    };
    for (const [question, name] of Object.entries(names)) assert.equal(explainedName(question), name, question);
  });

  /** Units by their text, each in the passage of its title, below what declares it. */
  function told(rows: readonly [kind: UnitKind, text: string, above: string, title?: string][]) {
    const profiles = new PassageProfiles(100);
    return rows.map(([kind, text, above, title = ''], i) => ({
      kind,
      text,
      context: { text: above },
      profile: profiles.of(
        notePassage(`p-${title}`, title, rows.map(([, line]) => line).join('\n'), { language: 'go', kind: 'function' }),
      ),
      sentence: { start: i * 100, end: i * 100 + text.length, stems: new Set<string>(), form: '' },
    }));
  }
  const said = (name: string, rows: Parameters<typeof told>[0]): string[] =>
    [...definitionsOf(name, told(rows))].map(({ text }) => text);

  it('is how the comment of its declaration begins, in any language', () => {
    for (const [above, name] of [
      ['type Ledger struct', 'Ledger'],
      ['func (l *Ledger) Open(path string) error', 'Open'],
      ['export class Ledger extends Book', 'Ledger'],
      ['class Book › def open(self, path: str) -> None', 'open'],
      ['def self.open(path)', 'open'],
      ['pub fn open<P: AsRef<Path>>(path: P) -> Self', 'open'],
      ['public static Ledger open(String path) throws IOException', 'open'],
      ['const open = async (path) =>', 'open'],
      ['export interface Options › readonly open?: boolean | undefined', 'open'],
      ['enum class Ledger : int', 'Ledger'],
      ['const char* open(const char* path)', 'open'],
    ] as const)
      assert.deepEqual(
        said(name, [
          ['comment', 'What it is.', above],
          ['comment', 'What else there is to know.', above],
          ['statement', 'return open(path, Ledger);', above],
          ['comment', 'Makes one.', 'func NewLedger() Ledger'],
        ]),
        ['What it is.'],
        above,
      );
  });

  it('is the declaration where that has no comment, and nothing where none is there', () => {
    const rows: Parameters<typeof told>[0] = [
      ['signature', 'class Ledger {', ''],
      ['comment', 'Closes a Ledger.', 'close(ledger: Ledger): void'],
    ];
    assert.deepEqual(said('Ledger', rows), ['class Ledger {']);
    assert.deepEqual(said('Book', rows), []);
  });

  it('is of the class that stands before it, where one of that name declares it', () => {
    const rows: Parameters<typeof told>[0] = [
      ['comment', 'Of a session.', 'def get(self)', 'Session > get'],
      ['comment', 'Of a cache.', 'def get(self)', 'Cache > get'],
    ];
    assert.deepEqual(said('Cache.get', rows), ['Of a cache.']);
    assert.deepEqual(said('store.get', rows), ['Of a session.', 'Of a cache.']);
  });
});
