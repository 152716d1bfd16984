import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { defaultIndexUri } from '../../../src/cli/places.ts';

describe('defaultIndexUri', () => {
  it("lies under the user's cache folder, by platform", () => {
    assert.ok(defaultIndexUri('/w', {}, 'linux').startsWith(join(homedir(), '.cache', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', {}, 'darwin').startsWith(join(homedir(), 'Library', 'Caches', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', { LOCALAPPDATA: '/local' }, 'win32').startsWith(join('/local', 'hoptrail')));
    assert.ok(defaultIndexUri('/w', { XDG_CACHE_HOME: '/cache' }, 'linux').startsWith(join('/cache', 'hoptrail')));
  });

  it('is one per folder', () => {
    assert.equal(defaultIndexUri('/w/', {}, 'linux'), defaultIndexUri('/w/sub/..', {}, 'linux'));
    assert.notEqual(defaultIndexUri('/w', {}, 'linux'), defaultIndexUri('/v', {}, 'linux'));
  });

  it('is another for folders together, in whichever order', () => {
    assert.equal(defaultIndexUri(['/w'], {}, 'linux'), defaultIndexUri('/w', {}, 'linux'));
    assert.equal(defaultIndexUri(['/w', '/v'], {}, 'linux'), defaultIndexUri(['/v', '/w'], {}, 'linux'));
    assert.notEqual(defaultIndexUri(['/w', '/v'], {}, 'linux'), defaultIndexUri('/w', {}, 'linux'));
  });
});
