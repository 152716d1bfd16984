import assert from 'node:assert/strict';
import { connect } from '@lancedb/lancedb';
import { describe, it } from 'mocha';
import { type FileRecord, FileTable } from '../../../../src/search/store/file-table.ts';
import { arrowTable, fileSchema } from '../../../../src/search/store/schema.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const record = (name: string, what: Partial<FileRecord>): FileRecord => ({
  uri: `file:///w/${name}`,
  path: name,
  rootUri: 'file:///w',
  size: 1,
  mtimeMs: 2,
  hash: '',
  language: '',
  passages: 0,
  digest: '',
  ...what,
});

/** The files' table of a new index. */
async function filesTable() {
  const connection = await connect(temporaryFolder());
  return connection.createEmptyTable('files', fileSchema);
}

describe('the list of files', () => {
  it('keeps why a file was left out, or read as plain text', async () => {
    const files = new FileTable(await filesTable());
    const records = [
      record('a.md', { stamp: '3 4' }),
      record('b.md', { skip: { reason: 'empty', why: { code: 'blank', details: {} } } }),
      record('c.ipynb', {
        fallback: {
          code: 'as-text',
          details: { language: 'jupyter', broke: { code: 'took-longer', details: { seconds: 5 } } },
        },
      }),
    ];
    await files.put(records);
    const kept = await files.all();
    assert.deepEqual(
      kept.sort((a, b) => (a.path < b.path ? -1 : 1)),
      records,
    );
  });

  it('shows as it is what an earlier version wrote in English', async () => {
    const table = await filesTable();
    const rows = [
      { uri: 'file:///w/a.md', skipped: true, skip_reason: 'unreadable', detail: 'permission denied' },
      { uri: 'file:///w/b.py', skipped: false, skip_reason: null, detail: 'the python parser failed (x)' },
    ];
    await table.add(
      arrowTable(fileSchema, {
        uri: rows.map(({ uri }) => uri),
        path: ['a.md', 'b.py'],
        root_uri: ['file:///w', 'file:///w'],
        size: [1, 1],
        mtime_ms: [2, 2],
        stamp: ['', ''],
        hash: ['', 'h'],
        language: ['', 'python'],
        passages: [0, 1],
        digest: ['', 'd'],
        skipped: rows.map(({ skipped }) => skipped),
        skip_reason: rows.map(({ skip_reason }) => skip_reason),
        detail: rows.map(({ detail }) => detail),
      }),
    );
    const [left, read] = (await new FileTable(table).all()).sort((a, b) => (a.path < b.path ? -1 : 1));
    assert.deepEqual(left?.skip, {
      reason: 'unreadable',
      why: { code: 'said', details: { text: 'permission denied' } },
    });
    assert.deepEqual(read?.fallback, { code: 'said', details: { text: 'the python parser failed (x)' } });
  });
});
