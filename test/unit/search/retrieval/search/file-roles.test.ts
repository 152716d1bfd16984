import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { handicapByRole, standsBehind, weightByRole } from '../../../../../src/search/retrieval/file-roles.ts';
import { fuse } from '../../../../../src/search/retrieval/fuse.ts';
import { readQuestion } from '../../../../../src/search/retrieval/question.ts';

const stemsOf = (question: string): string[] => readQuestion(question).stems;

describe('roles of files', () => {
  it('let tests and examples of a program stand behind it, unless they are asked for', () => {
    const refs = ['test/store.test.ts', 'src/store.ts', 'examples/notes.md'].map((path) => ({
      passage: { id: path, path, embedded: true },
      score: 1,
    }));
    const ranked = (question: string): string[] =>
      fuse({ vector: refs }, { text: 0, vector: 1, link: 0, k: 20 }, weightByRole(stemsOf(question))).map(
        ({ passage }) => passage.id,
      );
    assert.deepEqual(ranked('How are rows merged?'), ['src/store.ts', 'examples/notes.md', 'test/store.test.ts']);
    assert.ok(handicapByRole(stemsOf('How are rows merged?'))('test/store.test.ts') < 0);
    assert.equal(handicapByRole(stemsOf('How are rows merged?'))('src/store.ts'), 0);
    assert.equal(handicapByRole(stemsOf('How is merging tested?'))('test/store.test.ts'), 0);
    assert.deepEqual(ranked('How is merging tested?'), ['test/store.test.ts', 'src/store.ts', 'examples/notes.md']);
  });

  it('let tests of programs without a grammar and of shells stand behind, and no data of tests', () => {
    const isBehind = standsBehind(stemsOf('How hot does the kiln get?'));
    for (const path of ['test/kiln_test.exs', 'spec/kiln_spec.lua', 'test/fast/kiln heats', 'examples/kiln/main.tf'])
      assert.ok(isBehind(path), path);
    for (const path of ['lib/kiln.ex', 'kiln.lua', 'main.tf', 'bin/kiln', 'test/kiln.ini', 'test/README.md'])
      assert.ok(!isBehind(path), path);
    assert.ok(!standsBehind(stemsOf('Which test heats the kiln?'))('test/kiln_test.exs'));
  });

  it('let what was changed when stand behind what is, unless changes are asked for', () => {
    const histories = 'CHANGELOG.md packages/kiln/HISTORY.rst NEWS docs/changelog.md UPGRADING.md ChangeLog Changes';
    for (const path of histories.split(' ')) {
      for (const question of ['What is the least time of a run?', 'What is logged when a run takes too long?'])
        assert.ok(standsBehind(stemsOf(question))(path), path);
      for (const question of [
        'Which version added the kiln?',
        'What changed for the kiln?',
        'What replaced it in the upgrade?',
      ])
        assert.ok(!standsBehind(stemsOf(question))(path), path);
    }
    for (const path of ['notes/News.md', 'history.ts', 'docs/changes.md'])
      assert.ok(!standsBehind(stemsOf('What is the least time of a run?'))(path), path);
  });

  it('let lists of authors stand behind, unless authors are asked for', () => {
    for (const path of ['AUTHORS', 'docs/CONTRIBUTORS.md', '.mailmap', 'THANKS.txt']) {
      assert.ok(standsBehind(stemsOf('How fast is a report of a burnt kiln answered?'))(path), path);
      assert.ok(!standsBehind(stemsOf('Who are the authors of the kiln?'))(path), path);
    }
    for (const path of ['docs/authors.md', 'MAINTAINERS', 'src/credits.ts'])
      assert.ok(!standsBehind(stemsOf('How fast is a report of a burnt kiln answered?'))(path), path);
  });

  it('let licences and what tools keep for themselves stand behind, unless they are asked for', () => {
    const licences =
      'LICENSE LICENSE-MIT License.txt MIT-LICENSE LICENSES/CC0-1.0.txt docs/COPYING license.md NOTICE.txt COPYING.LESSER';
    for (const path of licences.split(' ')) {
      assert.ok(standsBehind(stemsOf('Who gets the money of the kiln?'))(path), path);
      assert.ok(!standsBehind(stemsOf('Under which licence is the kiln?'))(path), path);
    }
    for (const path of ['Kiln.sln', 'Kiln.xcodeproj/project.pbxproj']) {
      assert.ok(standsBehind(stemsOf('How many degrees does it reach?'))(path), path);
      assert.ok(!standsBehind(stemsOf('Which Xcode project is there?'))(path), path);
    }
    for (const path of ['src/license.ts', 'LICENSE_CHECK.py', 'docs/licensing.md', 'kiln.csproj', 'NOTICE-PERIOD.md'])
      assert.ok(!standsBehind(stemsOf('Who gets the money of the kiln?'))(path), path);
  });

  it('let completions for shells, generated and vendored files stand behind, unless they are asked for', () => {
    const behind = (question: string, paths: readonly string[]): string[] =>
      paths.filter((path) => handicapByRole(stemsOf(question))(path) < 0);
    const completions = [
      'contrib/completion/_fd',
      'completion/http.bash',
      'extras/http.fish',
      'autocomplete/fd.bash-completion',
    ];
    const generated = [
      'api/zz_generated.deepcopy.go',
      'proto/shop_pb2_grpc.py',
      'internal/wire_gen.go',
      'src/schema.generated.ts',
      'src/routes.gen.ts',
      'third_party/zlib/inflate.c',
      'lib/vendored/six.py',
      'requests/packages/vendor/six.py',
    ];
    const sources = [
      'cmd/completions.go',
      'completion/fish.go',
      'scripts/build.sh',
      'src/generate.ts',
      'lib/vendor.rb',
      'src/gen-ids.ts',
    ];
    const all = [...completions, ...generated, ...sources];
    assert.deepEqual(behind('How long does a request take?', all), [...completions, ...generated]);
    assert.deepEqual(behind('Which flags does the fish completion know?', completions), []);
    assert.deepEqual(behind('What do the generated files hold?', generated), []);
  });
});
