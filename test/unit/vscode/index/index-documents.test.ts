import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { diagnosisMarkdown, withoutPrivateWords } from '../../../../src/vscode/commands/diagnosis.ts';
import { indexReportMarkdown } from '../../../../src/vscode/index/index-report.ts';
import { ChangeBatch } from '../../../../src/vscode/index/watch-files.ts';
import * as vscode from '../../../doubles/vscode/vscode.ts';
import { readyIndex } from '../../../doubles/panel-page.ts';

const { diagnose } = await import('../../../../src/vscode/commands/index-commands.ts');
const packageJSON = JSON.parse(readFileSync('package.json', 'utf8')) as object;

const NOBODY = {
  version: '0.1.0',
  editor: '1.104',
  platform: 'linux x64',
  cpus: 2,
  memoryBytes: 2 ** 34,
  folders: 1,
  schemes: ['file'],
  trusted: true,
  modelKind: 'openai',
  settings: {},
  addresses: [],
};

/** A cause as an index of an earlier version has it. */
const said = (text: string) => ({ code: 'said' as const, details: { text } });

describe('the index report', () => {
  it('lists everything that was left out, by reason, and what is in', () => {
    const text = indexReportMarkdown({
      state: readyIndex,
      indexUri: '/storage/index',
      fallbacks: [{ path: 'a.ts', why: said('syntax') }],
      files: [
        { path: 'a.ts', language: 'typescript', passages: 3 },
        { path: 'b.md', language: 'markdown', passages: 2 },
        { path: 'c.md', language: 'markdown', passages: 4 },
      ],
      skipped: [
        { path: 'x.bin', reason: 'binary', why: said('holds NUL bytes') },
        { path: 'y|z', reason: 'ignored', why: said('rule') },
        { path: 'w', reason: 'ignored', why: said('rule') },
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
    assert.match(text, /known only to the window that updates this index/);
    assert.ok(!text.includes('Nothing.'));
  });
});

describe('the index report in another language', () => {
  const loud = (message: string, ...values: (string | number)[]): string =>
    message.toUpperCase().replace(/\{(\d)\}/g, (_whole, index: string) => String(values[Number(index)]));

  const late = { code: 'took-longer', details: { seconds: 5 } } as const;

  it('has no English word but names', () => {
    const text = indexReportMarkdown(
      {
        state: {
          ...readyIndex,
          phase: 'failed',
          error: { code: 'disk-full', message: 'No space is left on the disk that holds the index (1).' },
          notices: [{ code: 'rebuilt', details: {} }],
        },
        indexUri: '/1',
        fallbacks: [{ path: '1', why: { code: 'as-text', details: { language: '1', broke: late } } }],
        files: [{ path: '1', language: '1', passages: 3 }],
        skipped: [
          { path: '1', reason: 'unreadable', why: { code: 'swapped', details: { by: 'link' } } },
          {
            path: '1',
            reason: 'gave-up',
            why: { code: 'reading', details: { parser: { code: 'failed', details: { said: '1' } }, asText: late } },
          },
          { path: '1', reason: 'binary', why: { code: 'begins-like', details: { kind: 'png' } } },
          { path: '1', reason: 'ignored', why: { code: 'pattern', details: {} } },
          {
            path: '1',
            reason: 'unsupported',
            why: { code: 'refused', details: { passages: 2, said: '1' } },
          },
        ],
      },
      loud,
    );
    assert.doesNotMatch(text.replace(readyIndex.embedderId, '').replace(/\d kB/, ''), /[a-z]/);
  });

  it('says in the diagnosis what the person reads, its figures in English', () => {
    const text = diagnosisMarkdown({ ...NOBODY, state: readyIndex }, loud);
    assert.match(text, /^# HOPTRAIL DIAGNOSIS\n\nPASTE THIS[\s\S]*\| Language model \|/);
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
    const error = { code: 'no-space', message: 'The disk is full.', advice: 'Free some space.' };
    assert.equal(describeIndex({ ...readyIndex, phase: 'failed', error }), 'The disk is full. Free some space.');
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
      ...NOBODY,
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

  it('leaves out the hosts that are set, whatever they look like', () => {
    const said = 'Nothing answers at gpu-box. GPU-Box, asked for (gpu-box’s model), is no gpu-boxer of vectors.';
    const left = 'Nothing answers at … … asked for … model), is no gpu-boxer of …';
    for (const address of ['http://gpu-box:8080/v1', 'https://ann:key@gpu-box/v1', 'gpu-box:11434', ' gpu-box '])
      assert.equal(withoutPrivateWords(said, ['', address, 's3://vectors/index']), left, address);
    assert.equal(withoutPrivateWords(said), said);
    const error = { code: 'embedder-unreachable', message: 'Nothing answers at gpu-box.' };
    const facts = { ...NOBODY, state: { ...readyIndex, error }, addresses: ['http://gpu-box:8080/v1'] };
    assert.match(diagnosisMarkdown(facts), /\| Error \| embedder-unreachable: Nothing answers at … \|/);
  });

  it('says of an address that it is set, and of numbers, switches and choices what they are', async () => {
    const changed: Record<string, unknown> = {
      'hoptrail.model.baseUrl': 'http://gpu-box:8080/v1',
      'hoptrail.embedder.baseUrl': 'http://gpu-box:8081/v1',
      'hoptrail.index.uri': '/mnt/ann/index',
      'hoptrail.model.provider': 'openai',
      'hoptrail.index.maxFileSize': 9,
    };
    vscode.workspace.getConfiguration = ((section?: string) => ({
      get: (key: string, otherwise?: unknown) =>
        changed[section === undefined ? key : `${section}.${key}`] ?? otherwise,
      inspect: () => ({}),
    })) as typeof vscode.workspace.getConfiguration;
    const index = { ...readyIndex, error: { code: 'embedder-unreachable', message: 'Nothing answers at gpu-box.' } };
    let shown = '';
    const reports = { show: async (_title: string, content: string) => void (shown = content) };
    await diagnose(
      { extension: { packageJSON } } as unknown as Parameters<typeof diagnose>[0],
      index,
      { name: 'local', id: 'openai:http://gpu-box:8080/v1' },
      reports as unknown as Parameters<typeof diagnose>[3],
    );
    vscode.resetVscode();
    assert.match(shown, /\| hoptrail\.model\.baseUrl \| set \|/);
    assert.match(shown, /\| hoptrail\.index\.uri \| set \|/);
    assert.match(shown, /\| hoptrail\.model\.provider \| openai \|/);
    assert.match(shown, /\| hoptrail\.index\.maxFileSize \| 9 \|/);
    assert.doesNotMatch(shown, /gpu-box|mnt/);
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
