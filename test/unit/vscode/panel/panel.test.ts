import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES } from '../../../../src/vscode/protocol.ts';
import { matchFiles } from '../../../../src/vscode/panel/match-files.ts';
import { panelHtml } from '../../../../src/vscode/panel/panel-html.ts';
import { validateFromWebview } from '../../../../src/vscode/panel/validate.ts';

describe('validateFromWebview', () => {
  it('takes questions and scopes as large as the protocol says, and no larger', () => {
    const ask = (length: number, files: number) => ({
      type: 'ask',
      question: 'q'.repeat(length),
      scope: { kind: 'files', paths: Array.from({ length: files }, (_, index) => `${index}.md`) },
    });
    const largest = ask(MAX_QUESTION_LENGTH, MAX_SCOPE_FILES);
    assert.deepEqual(validateFromWebview(largest), largest);
    assert.equal(validateFromWebview(ask(MAX_QUESTION_LENGTH + 1, 1)), undefined);
    assert.equal(validateFromWebview(ask(1, MAX_SCOPE_FILES + 1)), undefined);
  });

  it('lets through what the protocol knows', () => {
    const ask = { type: 'ask', question: 'Who?', scope: { kind: 'files', paths: ['a.md'] } };
    assert.deepEqual(validateFromWebview(ask), ask);
    assert.deepEqual(validateFromWebview({ type: 'ready', more: 1 }), { type: 'ready' });
  });

  it('stops everything else', () => {
    for (const value of [
      undefined,
      'ready',
      {},
      { type: 'exec', command: 'rm' },
      { type: 'ask', question: '  ', scope: { kind: 'workspace' } },
      { type: 'ask', question: 'x' },
      { type: 'run-action', action: 'delete-everything' },
      { type: 'open', runId: 'r', passageId: 'p', startLine: -3, toSide: false },
      { type: 'rename-thread', threadId: 't', title: '' },
    ]) {
      assert.equal(validateFromWebview(value), undefined, JSON.stringify(value));
    }
  });
});

describe('panelHtml', () => {
  const html = panelHtml({
    cspSource: 'https://cdn.test',
    nonce: 'abc',
    scriptUri: 'https://cdn.test/main.js',
    styleUri: 'https://cdn.test/main.css',
    language: 'de',
    title: 'Hoptrail',
    place: 'view',
    translations: { '"<Ask>"': "d'oh &" },
  });

  it('lets nothing run or load but our own files', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'nonce-abc'/);
    assert.ok(!/unsafe|\*|https?:(?!\/\/cdn\.test)/.test(policy), policy);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.ok(!/ style=| on\w+=/.test(html));
  });

  it('carries translations as data', () => {
    const data = /data-translations="([^"]*)"/
      .exec(html)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    assert.deepEqual(JSON.parse(data ?? ''), { '"<Ask>"': "d'oh &" });
  });
});

describe('matchFiles', () => {
  const paths = ['systems/mast-power.md', 'runbooks/mast-visit.md', 'mast/readme.md', 'people/marta.md'];
  const found = (prefix: string): string[] => matchFiles(paths, prefix, 3);

  it('puts names before folders, and beginnings before middles', () => {
    assert.deepEqual(found('mast'), ['systems/mast-power.md', 'runbooks/mast-visit.md', 'mast/readme.md']);
    assert.deepEqual(found('power'), ['systems/mast-power.md']);
    assert.deepEqual(found('mrt'), ['people/marta.md']);
    assert.deepEqual(found('zzz'), []);
    assert.equal(found('').length, 3);
  });
});
