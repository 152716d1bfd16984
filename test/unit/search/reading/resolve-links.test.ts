import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Passage, PassageLink } from '../../../../src/search/domain/passage.ts';
import { keysOfLink, nameKeys } from '../../../../src/search/domain/link-keys.ts';
import { liesIn } from '../../../../src/search/domain/path-filter.ts';
import { fileNamesIn } from '../../../../src/search/reading/links/text-links.ts';
import { LinkResolver } from '../../../../src/search/reading/resolve-links.ts';
import { fixturesFolder, readAll, sourceOver } from './reading-harness.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const passage = (path: string, language: string, links: Partial<PassageLink>[]): Passage =>
  notePassage('', '', '', {
    path,
    kind: 'code',
    language,
    links: links.map((link) => ({ kind: 'path', target: '', line: 1, ...link })),
  });

/** Where one link leads: `path#anchor`, or undefined. */
function lead(
  paths: readonly string[],
  from: string,
  language: string,
  link: Partial<PassageLink>,
): string | undefined {
  const resolved = new LinkResolver(paths).resolve([passage(from, language, [link])])[0]?.links[0];
  return resolved?.path && (resolved.anchor ? `${resolved.path}#${resolved.anchor}` : resolved.path);
}

describe('LinkResolver', () => {
  const notes = [
    'notes/rules.md',
    'notes/People/Ansa Vuori.md',
    'notes/deep/other/rules.md',
    'README.md',
    'docs/guide/intro.md',
    'docs/guide/README.md',
    'docs/img/quay.png.md',
    'web/store.ts',
    'ops/schema.sql',
  ];

  it('follows wikilinks by name, the nearest first, whatever their case', () => {
    const wiki = (target: string, from = 'notes/a.md', anchor?: string): string | undefined =>
      lead(notes, from, 'markdown', { kind: 'wikilink', target, anchor });
    assert.equal(wiki('Rules'), 'notes/rules.md');
    assert.equal(wiki('rules', 'notes/deep/other/x.md'), 'notes/deep/other/rules.md');
    assert.equal(wiki('Ansa Vuori'), 'notes/People/Ansa Vuori.md');
    assert.equal(wiki('People/Ansa Vuori#Radio', 'notes/a.md', 'Radio'), 'notes/People/Ansa Vuori.md#Radio');
    assert.equal(wiki('ansa-vuori'), 'notes/People/Ansa Vuori.md');
    assert.equal(wiki('schema.sql'), 'ops/schema.sql');
    assert.equal(wiki('#Below', 'notes/rules.md', 'Below'), 'notes/rules.md#Below');
    assert.equal(wiki('Nowhere'), undefined);
  });

  it('follows Markdown links relative to the file, rooted ones from the root, folders to their index', () => {
    const link = (target: string, from = 'docs/guide/intro.md'): string | undefined =>
      lead(notes, from, 'markdown', { kind: 'markdown', target });
    assert.equal(link('../../notes/rules.md#berths'), 'notes/rules.md');
    assert.equal(link('/notes/rules.md'), 'notes/rules.md');
    assert.equal(link('/guide/intro', 'docs/a.md'), 'docs/guide/intro.md');
    assert.equal(link('../guide/'), 'docs/guide/README.md');
    assert.equal(link('../../notes/People/Ansa%20Vuori.md'), 'notes/People/Ansa Vuori.md');
    assert.equal(link('intro.html'), 'docs/guide/intro.md');
    assert.equal(link('#heading'), 'docs/guide/intro.md');
    assert.equal(link('../../../outside.md'), undefined);
    assert.equal(link('missing.md'), undefined);
    assert.equal(link('100%.md'), undefined);
  });

  it('takes composed and decomposed names for the same', () => {
    const stored = ['Übersicht.md', 'Ordner/Müller.md', 'résumé.md', 'がぎぐ.md'].map((path) => path.normalize('NFD'));
    const link = (kind: PassageLink['kind'], target: string): string | undefined =>
      lead(stored, 'start.md', 'markdown', { kind, target });
    for (const form of ['NFC', 'NFD'] as const) {
      assert.equal(link('wikilink', 'Übersicht'.normalize(form)), stored[0]);
      assert.equal(link('wikilink', 'müller'.normalize(form)), stored[1]);
      assert.equal(link('markdown', 'Ordner/Müller.md'.normalize(form)), stored[1]);
      assert.equal(link('path', 'résumé.md'.normalize(form)), stored[2]);
      assert.equal(link('wikilink', 'がぎぐ'.normalize(form)), stored[3]);
      assert.ok(liesIn(stored[1] ?? '', ['Ordner/Müller.md'.normalize(form)]));
    }
    assert.deepEqual(
      [...fileNamesIn('Siehe Übersicht.md.'.normalize('NFD'))].map(({ name }) => name),
      stored.slice(0, 1),
    );
  });

  it('joins file names in texts with the one file that they can mean', () => {
    const path = (target: string, from = 'notes/a.md'): string | undefined =>
      lead(notes, from, 'markdown', { kind: 'path', target });
    assert.equal(path('web/store.ts'), 'web/store.ts');
    assert.equal(path('store.ts'), 'web/store.ts');
    assert.equal(path('guide/intro.md', 'docs/x.md'), 'docs/guide/intro.md');
    assert.equal(path('rules.md', 'web/store.ts'), 'notes/rules.md', 'the nearer of two');
    assert.equal(path('store.ts', 'web/store.ts'), undefined, 'a file does not link to itself');
    assert.equal(
      lead(['a/index.ts', 'b/index.ts'], 'c.md', 'markdown', { kind: 'path', target: 'index.ts' }),
      undefined,
      'equally near: neither',
    );
  });

  it('finds what scripts import', () => {
    const paths = [
      'web/store.ts',
      'web/index.ts',
      'web/view.tsx',
      'web/old.js',
      'web/data.json',
      'src/lib/deep.ts',
      'packages/core/src/index.ts',
      'app/main.ts',
    ];
    const script = (target: string, from = 'web/a.ts'): string | undefined =>
      lead(paths, from, 'typescript', { kind: 'import', target });
    assert.equal(script('./store#Store'), 'web/store.ts#Store');
    assert.equal(script('./store.js#Store.merge'), 'web/store.ts#Store.merge');
    assert.equal(script('./view.jsx'), 'web/view.tsx');
    assert.equal(script('./old'), 'web/old.js');
    assert.equal(script('./data.json'), 'web/data.json');
    assert.equal(script('.'), 'web/index.ts');
    assert.equal(script('../web'), 'web/index.ts');
    assert.equal(script('@/lib/deep'), 'src/lib/deep.ts');
    assert.equal(script('lib/deep'), 'src/lib/deep.ts');
    assert.equal(script('@acme/core#run', 'app/main.ts'), 'packages/core/src/index.ts#run');
    assert.equal(script('node:fs#readFile'), undefined);
    assert.equal(script('#internal/x#y'), undefined);
    assert.equal(script('react#useState'), undefined);
  });

  it('finds Python modules: absolute, relative, submodules and names in packages', () => {
    const paths = [
      'src/flask/__init__.py',
      'src/flask/app.py',
      'src/flask/json/__init__.py',
      'src/flask/json/provider.py',
      'tests/test_app.py',
      'tests/conftest.py',
      'tools/json.py',
    ];
    const python = (target: string, from = 'src/flask/app.py'): string | undefined =>
      lead(paths, from, 'python', { kind: 'import', target });
    assert.equal(python('.json#provider'), 'src/flask/json/provider.py');
    assert.equal(python('.json.provider#JSONProvider'), 'src/flask/json/provider.py#JSONProvider');
    assert.equal(python('.#app', 'src/flask/json/provider.py'), 'src/flask/json/__init__.py#app');
    assert.equal(python('..#app', 'src/flask/json/provider.py'), 'src/flask/app.py');
    assert.equal(python('flask#Flask', 'tests/test_app.py'), 'src/flask/__init__.py#Flask');
    assert.equal(python('flask.json.provider', 'tests/test_app.py'), 'src/flask/json/provider.py');
    assert.equal(python('conftest#client', 'tests/test_app.py'), 'tests/conftest.py#client');
    assert.equal(python('json', 'tests/test_app.py'), undefined, 'the standard library is not a file far away');
    assert.equal(
      lead(paths, 'src/flask/app.py', 'python', {
        kind: 'call',
        target: 'provider.dumps',
        via: '.json#provider.dumps',
      }),
      'src/flask/json/provider.py#dumps',
    );
  });

  it('finds Go packages, Rust modules, Java and C# classes, headers, Ruby, PHP and shell files', () => {
    const to = (language: string, from: string, target: string, paths: string[]): string | undefined =>
      lead([...paths, from], from, language, { kind: 'import', target });
    assert.equal(
      to('go', 'cmd/main.go', 'port.example/app/internal/store', [
        'internal/store/a.go',
        'internal/store/store.go',
        'internal/store/store_test.go',
      ]),
      'internal/store/store.go',
    );
    assert.equal(to('go', 'cmd/main.go', 'net/http', ['internal/http/http.go']), undefined);
    assert.equal(to('go', 'cmd/main.go', 'fmt', ['fmt/fmt.go']), undefined);
    assert.equal(
      to('rust', 'core/src/main.rs', 'crate::tide::table#Table', ['core/src/tide/table.rs']),
      'core/src/tide/table.rs#Table',
    );
    assert.equal(
      to('rust', 'core/src/tide/table.rs', 'super::mark#Mark', ['core/src/tide/mod.rs', 'core/src/tide/mark.rs']),
      'core/src/tide/mark.rs#Mark',
    );
    assert.equal(to('rust', 'core/src/lib.rs', 'self::tide', ['core/src/tide/mod.rs']), 'core/src/tide/mod.rs');
    assert.equal(to('rust', 'app/src/main.rs', 'my_core#run', ['my-core/src/lib.rs']), 'my-core/src/lib.rs#run');
    assert.equal(to('rust', 'app/src/main.rs', 'std::fmt', []), undefined);
    assert.equal(
      to('java', 'src/main/java/port/A.java', 'port.gate.Lamp#Lamp', ['src/main/java/port/gate/Lamp.java']),
      'src/main/java/port/gate/Lamp.java#Lamp',
    );
    assert.equal(
      to('java', 'src/main/java/port/A.java', 'java.util.List#List', ['src/main/java/port/gate/Lamp.java']),
      undefined,
    );
    assert.equal(
      to('kotlin', 'a/Main.kt', 'port.radio.Channel#Channel', ['b/port/radio/Channel.kt']),
      'b/port/radio/Channel.kt#Channel',
    );
    assert.equal(
      to('csharp', 'desk/Invoice.cs', 'Port.Desk.Taxes', ['desk/Taxes/HarbourTax.cs']),
      'desk/Taxes/HarbourTax.cs',
    );
    assert.equal(to('c', 'native/a.c', 'depth.h', ['native/depth.h', 'other/depth.h']), 'native/depth.h');
    assert.equal(to('cpp', 'src/a.cpp', '<port/depth.h>', ['include/port/depth.h']), 'include/port/depth.h');
    assert.equal(to('cpp', 'src/a.cpp', '<vector>', ['include/port/depth.h']), undefined);
    assert.equal(to('ruby', 'ops/signal.rb', './flags', ['ops/flags.rb']), 'ops/flags.rb');
    assert.equal(to('ruby', 'bin/run.rb', 'harbour/mast', ['lib/harbour/mast.rb']), 'lib/harbour/mast.rb');
    assert.equal(
      to('php', 'public/index.php', 'App::Models::User#User', ['src/Models/User.php']),
      'src/Models/User.php#User',
    );
    assert.equal(to('php', 'desk/Guestbook.php', './helpers.php', ['desk/helpers.php']), 'desk/helpers.php');
    assert.equal(to('shellscript', 'ops/backup.sh', 'settings.sh', ['ops/settings.sh']), 'ops/settings.sh');
  });

  it('gives what a fresh resolver would after files came, and another one after they went', () => {
    const importing = passage('web/a.ts', 'typescript', [
      { kind: 'import', target: './store#Store' },
      { kind: 'call', target: 'Store', via: './store#Store' },
      { kind: 'wikilink', target: 'Late Note' },
    ]);
    const resolver = new LinkResolver(['web/a.ts']);
    const [before] = resolver.resolve([importing]);
    assert.ok(before && before.links.every((link) => link.path === undefined));
    for (const late of ['web/store.ts', 'notes/late-note.md', 'web/store/index.ts']) resolver.add(late);
    const [after] = resolver.resolve([before]);
    assert.deepEqual(
      after?.links.map((link) => link.path),
      ['web/store.ts', 'web/store.ts', 'notes/late-note.md'],
    );
    assert.equal(
      new LinkResolver(['web/a.ts', 'web/store/index.ts']).resolve([after ?? importing])[0]?.links[0]?.path,
      'web/store/index.ts',
    );
    assert.deepEqual(
      new LinkResolver(['web/a.ts']).resolve([after ?? importing])[0],
      before,
      'as if they had never been there',
    );
    assert.equal(resolver.resolve([after ?? importing])[0], after, 'the same object when nothing changes');
  });

  it('stays fast with a hundred thousand paths', () => {
    const paths = Array.from({ length: 100_000 }, (_, i) => `packages/p${i % 300}/src/folder${i % 37}/file${i}.ts`);
    const resolver = new LinkResolver(paths);
    const passages = Array.from({ length: 2_000 }, (_, i) =>
      passage(`packages/p1/src/folder1/file${i}.ts`, 'typescript', [
        { kind: 'import', target: `./file${i + 37}` },
        { kind: 'path', target: `file${i * 3}.ts` },
      ]),
    );
    assert.equal(
      resolver
        .resolve(passages)
        .flatMap((resolved) => resolved.links)
        .filter((link) => link.kind === 'path' && link.path).length,
      2_000,
    );
  });
});

describe('links over the fixtures', () => {
  let passages: Passage[] = [];
  const source = sourceOver([fixturesFolder]);
  before(async () => {
    const { files } = await readAll(source);
    passages = new LinkResolver(files.map((read) => read.file.path)).resolve(files.flatMap((read) => read.passages));
  });
  after(() => source.close());

  /** Links from one file that lead to a passage of another, by the keys that the index joins them with. */
  const joins = (from: string, to: string, title: string): boolean => {
    const wanted = passages
      .filter((candidate) => candidate.path === to && candidate.title.endsWith(title))
      .flatMap(nameKeys);
    return passages
      .filter((candidate) => candidate.path === from)
      .flatMap((candidate) => candidate.links.flatMap(keysOfLink))
      .some((key) => wanted.includes(key));
  };

  for (const [from, to, title] of [
    ['web/store.ts', 'web/tide.ts', 'Tide, parseTide'],
    ['web/store.ts', 'web/clock.ts', 'offset, now, setOffset'],
    ['web/QuayView.tsx', 'web/berth-row.jsx', 'BerthRow'],
    ['web/berth-row.jsx', 'ops/format-hours.js', 'formatHours'],
    ['harbour/berth.py', 'harbour/tides/table.py', 'TideTable, next_departure'],
    ['harbour/berth.py', 'notes/rules.md', 'Rules of the harbour'],
    ['service/ferry/ferry.go', 'service/tariff/tariff.go', 'PriceFor'],
    ['engine/src/lib.rs', 'engine/src/basin.rs', 'Basin, Gate'],
    ['gate/src/main/java/port/gate/LockGate.java', 'gate/src/main/java/port/gate/signal/Lamp.java', 'Lamp'],
    ['native/depth.c', 'native/depth.h', 'depth_reading, depth_mean'],
    ['native/sonar.cpp', 'native/sonar.hpp', 'Sweep'],
    ['desk/Invoice.cs', 'desk/Taxes/HarbourTax.cs', 'HarbourTax'],
    ['ops/signal.rb', 'ops/flags.rb', 'Flags'],
    ['desk/Guestbook.php', 'desk/Storage/FileStorage.php', 'FileStorage'],
    ['desk/Guestbook.php', 'desk/helpers.php', 'trim_greeting'],
    ['ops/backup.sh', 'ops/settings.sh', 'BACKUP_DIR'],
    ['phone/Pilot.kt', 'phone/radio/Channel.kt', 'Channel'],
    ['notes/rules.md', 'notes/lantern-regatta.md', 'Lantern Regatta'],
    ['notes/rules.md', 'notes/People/Ansa Vuori.md', 'Ansa Vuori'],
    ['notes/rules.md', 'data/signals.yaml', 'mast, letters'],
    ['notes/lantern-regatta.md', 'notes/rules.md', 'Rules of the harbour'],
    ['web/help.html', 'notes/rules.md', 'Fees'],
    ['data/tides.ipynb', 'harbour/tides/table.py', 'TideTable, next_departure'],
    ['data/tides.ipynb', 'data/tides.tsv', 'station'],
    ['data/office.toml', 'ops/backup.sh', 'prune_backups'],
    ['documents/handbook.pdf', 'data/berths.json', 'Lantern berth'],
    ['documents/ferry-contract.docx', 'data/office.toml', 'Oskar'],
    ['ops/schema.sql', 'harbour/berth.py', 'Berth'],
  ] as const)
    it(`${from} leads to ${to} > ${title}`, () => assert.ok(joins(from, to, title)));
});
