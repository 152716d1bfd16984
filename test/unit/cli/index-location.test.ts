import assert from 'node:assert/strict';
import { realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { describe, it } from 'mocha';
import { defaultIndexUri, folderAndText, folderOrHere, workspaceFolder } from '../../../src/cli/places.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('defaultIndexUri', () => {
  it("lies under the user's cache folder, by platform", () => {
    assert.ok(defaultIndexUri('/w', {}, 'linux').startsWith(join(homedir(), '.cache', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', {}, 'darwin').startsWith(join(homedir(), 'Library', 'Caches', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', { LOCALAPPDATA: '/local' }, 'win32').startsWith(join('/local', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', { XDG_CACHE_HOME: '/cache' }, 'linux').startsWith(join('/cache', 'hoptrail')));
    for (const none of ['', 'cache', './cache'])
      assert.equal(defaultIndexUri('/w', { XDG_CACHE_HOME: none }, 'linux'), defaultIndexUri('/w', {}, 'linux'));
  });

  it('is one per folder', () => {
    assert.equal(defaultIndexUri('/w/', {}, 'linux'), defaultIndexUri('/w/sub/..', {}, 'linux'));
    assert.notEqual(defaultIndexUri('/w', {}, 'linux'), defaultIndexUri('/v', {}, 'linux'));
  });

  it('is the same for a folder that is named twice', () => {
    assert.equal(defaultIndexUri(['/w', '/w/'], {}, 'linux'), defaultIndexUri('/w', {}, 'linux'));
    assert.equal(defaultIndexUri(['/w', '/v', '/w/.'], {}, 'linux'), defaultIndexUri(['/v', '/w'], {}, 'linux'));
    const base = realpathSync(temporaryFolder());
    symlinkSync(base, join(base, 'link'));
    assert.deepEqual(workspaceFolder(join(base, 'link')), workspaceFolder(`${base}/`));
  });

  it('is another for folders together, in whichever order', () => {
    assert.equal(defaultIndexUri(['/w'], {}, 'linux'), defaultIndexUri('/w', {}, 'linux'));
    assert.equal(defaultIndexUri(['/w', '/v'], {}, 'linux'), defaultIndexUri(['/v', '/w'], {}, 'linux'));
    assert.notEqual(defaultIndexUri(['/w', '/v'], {}, 'linux'), defaultIndexUri('/w', {}, 'linux'));
  });
});

describe('a folder that is not named', () => {
  it('is the current one, unless what is typed may name another', () => {
    const here = import.meta.dirname;
    assert.deepEqual(folderAndText('question', ['notes', 'Who?'], here), ['notes', 'Who?']);
    assert.deepEqual(folderAndText('question', ['Who keeps the and/or list?', undefined], here), [
      here,
      'Who keeps the and/or list?',
    ]);
    for (const typed of [undefined, '.', 'index-location.test.ts', './nowhere', 'notes\\huts'])
      assert.throws(() => folderAndText('question', [typed, undefined], here), /The question is missing/, typed);
  });

  it('is never one that holds everything', () => {
    assert.equal(folderOrHere('/named', '/'), '/named');
    assert.equal(folderOrHere(undefined, import.meta.dirname), import.meta.dirname);
    for (const here of [homedir(), parse(import.meta.dirname).root])
      assert.throws(() => folderOrHere(undefined, here), /No folder is named/);
  });
});
