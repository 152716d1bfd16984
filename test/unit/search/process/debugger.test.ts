import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { debuggerArguments } from '../../../../src/search/process/start-daemon.ts';

describe('debugging the index process', () => {
  it('is on where a port is named, for this machine alone', () => {
    assert.deepEqual(debuggerArguments('9330'), ['--inspect=127.0.0.1:9330']);
    for (const port of [undefined, '', '0.0.0.0:9330', '--eval', '99999999'])
      assert.deepEqual(debuggerArguments(port), []);
  });
});
