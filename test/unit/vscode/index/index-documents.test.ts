import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { diagnosisMarkdown, withoutPrivateWords } from '../../../../src/vscode/commands/diagnosis.ts';
import { indexReportMarkdown } from '../../../../src/vscode/index/index-report.ts';
import { ChangeBatch } from '../../../../src/vscode/index/watch-files.ts';
import { readyIndex } from '../../../doubles/panel-page.ts';

describe('the index report', () => {
  it('lists everything that was left out, by reason, and what is in', () => {
    const text = indexReportMarkdown({
      state: readyIndex,
      indexUri: '/storage/index',
      fallbacks: [{ path: 'a.ts', reason: 'syntax' }],
      files: [
        { path: 'a.ts', language: 'typescript', passages: 3 },
        { path: 'b.md', language: 'markdown', passages: 2 },
        { path: 'c.md', language: 'markdown', passages: 4 },
      ],
      skipped: [
        { path: 'x.bin', reason: 'binary', detail: 'holds NUL bytes' },
        { path: 'y|z', reason: 'ignored', detail: 'rule' },
        { path: 'w', reason: 'ignored', detail: 'rule' },
      ],
    });
    assert.match(text, /### ignored \(2\)[\s\S]*`y\|z`[\s\S]*### binary \(1\)/);
    assert.match(text, /\| markdown \| 2 \| 6 \|/);
    assert.match(text, /parser failed[\s\S]*`a\.ts`: syntax/);
    assert.match(text, /4\.2 MB/);
  });

  it('does not call nothing what a window that only reads cannot know', () => {
    const text = indexReportMarkdown({
      state: readyIndex,
      indexUri: '/storage/index',
      fallbacks: [],
      files: [],
      skipped: [],
      skippedKnown: false,
    });
    assert.match(text, /known only to the window that keeps this index up to date/);
    assert.ok(!text.includes('Nothing.'));
  });
});

const { describeIndex } = await import('../../../../src/vscode/index/index-status-item.ts');

describe('what the index tells besides', () => {
  const state: typeof readyIndex = {
    ...readyIndex,
    notices: [
      { code: 'growing-beside', details: {} },
      { code: 'passages-refused', details: { passages: 2 } },
    ],
  };

  it('is said when it is ready, in words', () => {
    assert.equal(describeIndex(readyIndex), 'The index is up to date.');
    assert.match(describeIndex(state), /^The index is being rebuilt\. .* 2 passages were refused by the/);
  });

  it('stands in the report', () => {
    const nothing = { indexUri: '/index', fallbacks: [], files: [], skipped: [] };
    assert.match(indexReportMarkdown({ state, ...nothing }), /\| Note \| The index is .* 2 passages were refused/);
    assert.doesNotMatch(indexReportMarkdown({ state: readyIndex, ...nothing }), /Note/);
    assert.match(indexReportMarkdown({ state: { ...readyIndex, bytes: 12_300 }, ...nothing }), /\| Size \| 13 kB \|/);
    const growing = { ...readyIndex, bytes: 12_300, coverage: { ...readyIndex.coverage, indexing: true } };
    assert.doesNotMatch(indexReportMarkdown({ state: growing, ...nothing }), /\| Size/);
  });
});

describe('the diagnosis', () => {
  it('tells nothing private', () => {
    assert.equal(
      withoutPrivateWords('Cannot read /home/ann/secret.md: "my notes" at C:\\x\\y.'),
      'Cannot read … … at …',
    );
    const text = diagnosisMarkdown({
      version: '0.1.0',
      editor: '1.104',
      platform: 'linux x64',
      cpus: 2,
      memoryBytes: 2 ** 34,
      folders: 1,
      schemes: ['file'],
      trusted: true,
      modelKind: 'openai',
      state: { ...readyIndex, error: { code: 'disk-full', message: 'No room in /home/ann/index.' } },
      settings: { 'hoptrail.model.baseUrl': 'set' },
    });
    assert.match(text, /disk-full: No room in …/);
    assert.equal(
      withoutPrivateWords(
        '10.0.0.7:8080 failed inside (status 503), as did localhost, api.example.org and [::1]; 0.5 s.',
      ),
      '… failed inside (status 503), as did … … and … 0.5 s.',
    );
    assert.match(text, /16\.0 GiB/);
    assert.ok(!text.includes('/home'));
  });
});

describe('ChangeBatch', () => {
  const options = { quietMs: 60_000, longestMs: 60_000, most: 3 };
  const collect = (uris: string[]): (string[] | 'many')[] => {
    const delivered: (string[] | 'many')[] = [];
    const batch = new ChangeBatch((changed) => delivered.push(changed), options);
    for (const uri of uris) batch.add(uri);
    batch.flush();
    batch.flush();
    batch.dispose();
    return delivered;
  };

  it('delivers each changed file once, in one batch', () => {
    assert.deepEqual(collect(['file:///a', 'file:///b', 'file:///a']), [['file:///a', 'file:///b']]);
  });

  it('leaves out what is never indexed', () => {
    assert.deepEqual(collect(['file:///w/.git/index.lock', 'file:///w/node_modules/x/y.js']), []);
  });

  it('says "many" rather than a list without end', () => {
    assert.deepEqual(collect(['1', '2', '3', '4']), ['many']);
  });
});
