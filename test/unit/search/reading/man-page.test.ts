import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { passageEmbeddingText } from '../../../../src/search/reading/passage-identity.ts';
import { plainText, roffInPlace, textInPlace } from '../../../../src/search/reading/text/plain-roff.ts';
import { identifiersColumn } from '../../../../src/search/store/passage-rows.ts';
import { asRead, checkPassages, fixturesFolder, readText } from './reading-harness.ts';

const read = async (name: string, text: string): Promise<Passage[]> => asRead(await readText(name, text)).passages;
const fixture = (name: string): Promise<Passage[]> =>
  read(name, readFileSync(path.join(fixturesFolder, 'notes', name), 'utf8'));

/** `kind {context} words as they are shown` of every unit. */
const unitsOf = (passages: readonly Passage[]): string[] =>
  passages.flatMap((passage) =>
    (passage.units ?? []).map(({ start, end, kind, context }) => {
      const shown = plainText(passage, passage.text.slice(start, end), kind === 'field');
      return `${kind}${context ? ` {${context.text}}` : ''} ${shown.replace(/\n/g, '⏎')}`;
    }),
  );
const page = (...lines: string[]): Promise<Passage[]> => read('a.1', ['.TH A 1', '.SH A', ...lines].join('\n'));
const shown = (...lines: string[]): string =>
  plainText({ language: 'roff', path: 'doc/sail.1', text: '' }, lines.join('\n'));

describe('a page of the manual', () => {
  it('has entries with their tags, items, sentences and examples as its units', async () => {
    assert.deepEqual(unitsOf(await fixture('buoy.1')), [
      'sentence buoy - move and count the buoys of a harbour',
      'sentence buoy⏎[--dry-run]⏎[--depth⏎METRES]⏎[HARBOUR...]',
      "sentence buoy asks the harbour's register where each buoy lies.",
      'sentence It moves⏎none⏎of them unless it is told to.',
      'sentence It looks at:',
      'item {It looks at:} the chart of the quay',
      'item {It looks at:} the tide table, see⏎tides(5)',
      'field -n, --dry-run:⏎Says what would be moved, and moves nothing.',
      'field --depth METRES:⏎Leaves out buoys in water that is less deep than METRES.⏎The default is 4.',
      'field --colour,⏎--color:⏎Shows lamps in colour.',
      'field -q, --quiet:⏎Says nothing but errors.',
      'sentence {-q, --quiet} Errors go to stderr:',
      'field {-q, --quiet} late:⏎the tide has turned',
      'field --anchor=KIND:⏎Chooses the anchor.',
      'field --rope:⏎Has had no effect since 2.0.',
      'sentence Count all buoys:',
      'statement {Count all buoys:} $ buoy --dry-run north | \\⏎    wc -l',
      'statement {Move them:} $ buoy north',
      'sentence It is 0, or 3 when a buoy was lost.',
      'sentence tides(5),⏎https://harbour.example/buoys⏎the manual.',
    ]);
  });

  it('of BSD has them, too', async () => {
    assert.deepEqual(unitsOf(await fixture('tides.mdoc')), [
      'sentence tides⏎– table of the tides',
      'sentence tides⏎[-a | --all]⏎[-d day]⏎port ...',
      'sentence The⏎tides⏎table has a line for each tide.',
      'sentence It is kept in⏎/etc/tides⏎and read by⏎buoy(1).',
      'sentence The options are:',
      'field -a, --all:⏎Lists all ports⏎(also those that are closed).',
      'field -d day:⏎Takes another⏎day,⏎“today”⏎by default.',
      'field -s⏎first-last:⏎Shows some days.',
      'item /etc/tides⏎is the table.',
      'item /var/tides.log⏎tells who changed it.',
      'sentence Ask for a day:',
      'statement {Ask for a day:} $ tides -d 2026-05-04 north⏎high 04:12',
    ]);
  });

  it('is cut at its sections and paragraphs, and titled by both', async () => {
    const entries = Array.from(
      { length: 60 },
      (_, i) => `.TP\n\\fB\\-\\-sail\\-${i}\\fP\nSets sail ${i} before the wind.`,
    );
    const passages = await page(
      'First.',
      '.SS "The sails"',
      ...entries,
      '.EX',
      '.SH none',
      '.EE',
      '.nf',
      'x',
      '.SH',
      'Last part',
      'x',
    );
    assert.ok(passages.length > 3);
    assert.equal(passages[1]?.title, 'A(1) > A > The sails');
    assert.equal(passages.at(-1)?.title.includes('Last part'), true);
    for (const { text } of passages.slice(1, -1)) assert.match(text, /^\.TP\n/);
    const fields = passages.flatMap(({ units = [] }) => units.filter(({ kind }) => kind === 'field'));
    assert.equal(fields.length, entries.length);
  });

  it('has long entries by their sentences, each under its tag', async () => {
    const sentences = Array.from(
      { length: 12 },
      (_, i) => `Sentence number ${i} of this entry is about the sails of a boat.`,
    );
    const units = unitsOf(await page('.TP', '.B \\-x', ...sentences));
    assert.equal(units[0], `field -x:⏎${sentences[0]}`);
    assert.deepEqual(
      units.slice(1),
      sentences.slice(1).map((each) => `sentence {-x} ${each}`),
    );
  });

  it('is read as programs write it, with bullets in conditions and definitions above', async () => {
    const list = [
      'It knows:',
      '.sp',
      '.RS 4',
      '.ie n \\{\\',
      "\\h'-04'\\(bu\\h'+03'\\c",
      '.\\}',
      '.el \\{\\',
      '.  sp -1',
    ];
    assert.deepEqual(
      unitsOf(
        await page(...list, '.  IP \\(bu 2.3', '.\\}', 'ropes', '.RE', '.IP "\\fB\\-y\\fR" 4', '.IX Item "-y"', 'Yes.'),
      ),
      ['item {It knows:} ropes', 'field -y:⏎Yes.'],
    );
  });

  it('is embedded and found by the words that it shows', async () => {
    const [passage] = await page('\\fIun\\fPsafe\\-\\-min\\-runs', '.B \\-\\-min\\-runs', '\\fBhyper\\fP');
    assert.ok(passage);
    assert.equal(
      passageEmbeddingText(passage).split('\n').slice(1).join(' '),
      'A 1 A unsafe--min-runs --min-runs hyper',
    );
    const words = identifiersColumn(passage).split(' ');
    assert.deepEqual(
      ['hyper', 'unsafe', 'min', 'runs', 'fbhyper'].map((word) => words.includes(word)),
      [true, true, true, true, false],
    );
  });

  it('keeps its lines and places, whatever it is made of', async () => {
    const escapes = [
      '\\fB',
      '\\fP',
      '\\-',
      '\\(aq',
      '\\[u2014]',
      '\\*(lq',
      '\\',
      '\\"',
      "\\h'1'",
      '\\s-2',
      '\\e',
      '\\c',
    ];
    const requests = '.TP,.It ,.Nm,.Fl ,.Fx,.Op ,.nf,.fi,.RS,.RE,.SH ,.HP,.TQ,.Bd -literal,.de,..,.IP'.split(',');
    const part = fc.constantFrom(...escapes, ...requests, '.', "'", '"', ' ', 'a', 'B.', ': ');
    const line = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const text = ['.TH A 1', ...lines].join('\n');
        const inPlace = roffInPlace(text, 'a-long-name.1');
        assert.deepEqual(
          inPlace.split('\n').map(({ length }) => length),
          text.split('\n').map(({ length }) => length),
        );
        const found = asRead(await readText('a.1', text));
        assert.equal(found.language, 'roff');
        checkPassages(found, text);
        for (const { units = [] } of found.passages) {
          const places = units.flatMap(({ start, end }) => [start, end]);
          assert.deepEqual(
            places,
            places.toSorted((a, b) => a - b),
          );
        }
        for (const passage of found.passages) assert.equal(textInPlace(passage).length, passage.text.length);
      }),
      { numRuns: 150 },
    );
  });
});

describe('signs of roff', () => {
  it('are read as on the page', () => {
    assert.equal(
      shown('\\fBa\\fR\\f(BIb\\f[]c \\s-1D\\s0\\s+2E \\-\\-f\\&\\|g\\ h\\~i \\e \\\\ \\"no'),
      'abc DE --fg h i \\ \\ ',
    );
    assert.equal(shown('\\(lqx\\(rq \\(em \\(bu \\*(Aq \\[u20AC] \\[nobody] \\[constructor]\\(co'), "“x” — • ' €  ©");
    assert.equal(shown('.BR sail (1) , "two words" x\\ y', '.B "a ""b"" c" \\" no'), 'sail(1),two wordsx y\na "b" c');
    assert.equal(
      shown('.\\" no', '.PD 0', '.constructor x', '.MR sail 1 .', '.OP \\-x n', 'a', '', 'b'),
      'sail(1).\n[-x n]\na\n\nb',
    );
  });

  it('of BSD are, too', () => {
    assert.equal(shown('.Op Fl Fl all Ns = Ns Ar when , .'), '[--all=when],.');
    assert.equal(shown('.Nm Fl x', '.Nm', '.Fx', '.Ar', '.Pf ( Ar a )'), 'sail -x\nsail\nFreeBSD\nfile ...\n(a)');
    assert.equal(
      shown('.Fn open "char *a" "int b" ;', '.Oo', '.Fl v', '.Oc', '.Sq Li x .'),
      'open(char *a, int b);\n[\n-v\n]\n‘x’.',
    );
    assert.equal(shown('.Bl -tag -width Ds', '.It Fl a Ta b', '.El', '.Sx SEE ALSO'), '-a b\nSEE ALSO');
  });
});
