import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { workspaceIndexUri } from '../../../src/vscode/settings.ts';

describe('workspaceIndexUri', () => {
  it('gives each workspace a part of its own in a shared place', () => {
    assert.equal(workspaceIndexUri('/data/hoptrail', 'abc'), join('/data/hoptrail', 'abc'));
    assert.equal(workspaceIndexUri('s3://bucket/hoptrail/', 'abc'), 's3://bucket/hoptrail/abc');
    assert.equal(workspaceIndexUri('s3://bucket', 'abc'), 's3://bucket/abc');
    assert.equal(
      workspaceIndexUri('s3+ddb://bucket/notes?ddbTableName=locks', 'abc'),
      's3+ddb://bucket/notes/abc?ddbTableName=locks',
    );
    assert.equal(
      workspaceIndexUri('db://team', 'abc'),
      'db://team#abc',
      'a cloud database has no folders: names of tables begin with it',
    );
  });
});
