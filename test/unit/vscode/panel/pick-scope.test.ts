import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { MAX_SCOPE_FILES } from '../../../../src/vscode/protocol.ts';
import { FakeQuickPick } from '../../../doubles/vscode/fake-quick-pick.ts';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { resetVscode, window } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { Completions } = await import('../../../../src/vscode/panel/completions.ts');
const { pickScope } = await import('../../../../src/vscode/panel/pick-scope.ts');

describe('pickScope', () => {
  const files = Array.from({ length: MAX_SCOPE_FILES + 2 }, (_, index) => `notes/n${index}.md`);
  let pick: FakeQuickPick;
  const scopeFor = (entry: string) => {
    const sessions = new FakeSessions();
    sessions.read(...files);
    pick = new FakeQuickPick();
    window.createQuickPick = () => pick;
    window.showQuickPick = async (choices) =>
      (choices as (string | { label: string })[]).find((choice) =>
        (typeof choice === 'string' ? choice : choice.label).includes(entry),
      );
    return pickScope(new Completions(sessions.holder));
  };

  afterEach(resetVscode);

  it('takes as many files as a scope may hold, and stays open with a word on it for more', async () => {
    const chosen = scopeFor('Files…');
    await settled();
    assert.equal(pick.items.length, files.length);
    pick.tick(MAX_SCOPE_FILES + 1);
    assert.match(pick.title ?? '', new RegExp(`More than ${MAX_SCOPE_FILES} files are chosen`));
    pick.accept();
    assert.ok(pick.open);
    pick.tick(MAX_SCOPE_FILES);
    assert.equal(pick.title, undefined);
    pick.accept();
    assert.deepEqual(await chosen, { kind: 'files', paths: files.slice(0, MAX_SCOPE_FILES) });
    assert.equal(pick.open, false);
  });

  it('changes nothing when the list is left, or nothing is ticked', async () => {
    const left = scopeFor('Files…');
    await settled();
    pick.tick(3);
    pick.hide();
    assert.equal(await left, undefined);
    const none = scopeFor('Files…');
    await settled();
    pick.accept();
    assert.equal(await none, undefined);
  });

  it('takes a folder of those that hold files', async () => {
    const sessions = new FakeSessions();
    sessions.read('notes/a.md');
    const shown: unknown[] = [];
    window.showQuickPick = async (choices) => {
      shown.push(choices);
      return shown.length === 1
        ? (choices as { label: string }[]).find((choice) => choice.label.includes('Folder…'))
        : 'notes';
    };
    assert.deepEqual(await pickScope(new Completions(sessions.holder)), { kind: 'folder', path: 'notes' });
    assert.deepEqual(shown[1], ['notes']);
  });
});
