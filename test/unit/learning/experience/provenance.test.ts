import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { openAiModel } from '../../../../src/research/language-model/openai-model.ts';
import {
  hostOf,
  mayBeEmbedded,
  mayBeShown,
  provenanceOf,
} from '../../../../src/learning/experience/experience-record.ts';
import { vscodeLanguageModel, type LanguageModelApi } from '../../../../src/vscode/model/vscode-language-model.ts';

describe('provenance of what a run records', () => {
  const at = (baseUrl: string): ReturnType<typeof openAiModel> =>
    openAiModel({ baseUrl, model: 'm', apiKey: async () => 'key' });

  it('is the model at its endpoint, told by address and without credentials', () => {
    const model = at('https://user:secret@one.test:8443/gateway/v1/?key=1');
    assert.equal(model.endpoint, 'https://one.test:8443/gateway/v1');
    assert.deepEqual(provenanceOf(model, 'bundled'), {
      model: { id: 'openai:m@one.test:8443', endpoint: 'https://one.test:8443/gateway/v1' },
      embedder: 'bundled',
    });
    assert.equal(hostOf(model), 'one.test:8443');
    const chat = { vendor: 'copilot', id: 'gpt', name: 'GPT', maxInputTokens: 1 } as vscode.LanguageModelChat;
    const inEditor = vscodeLanguageModel({} as LanguageModelApi, chat);
    assert.deepEqual([inEditor.endpoint, hostOf(inEditor)], ['vscode:copilot', 'vscode:copilot']);
    assert.deepEqual(provenanceOf({ id: 'm' }, undefined), {}, 'one that does not say where it is');
  });

  it('lets a model see again what it has read, and nothing else', () => {
    const one = at('https://one.test/v1');
    const read = { model: one.id, endpoint: 'https://one.test/v1' };
    assert.ok(mayBeShown(read, one));
    for (const other of [at('https://one.test/tenant/v1'), at('http://one.test/v1'), { id: one.id }])
      assert.ok(!mayBeShown(read, other));
    assert.ok(!mayBeShown({ model: one.id }, one), 'an older record');
    assert.ok(!mayBeShown({ model: one.id }, { id: one.id }));
  });

  it('may embed anything on this machine, and at an endpoint what was embedded there', () => {
    const remote = 'm@https://embed.test/v1/256';
    assert.ok(mayBeEmbedded({ model: null }, 'Xenova/bge-small-en-v1.5/q8'));
    assert.ok(mayBeEmbedded({ model: null, embedder: remote }, remote));
    for (const [readBy, embedder] of [
      [undefined, remote],
      ['Xenova/bge-small-en-v1.5/q8', remote],
      ['m@https://other.test/v1/256', remote],
      [undefined, ''],
    ] as const)
      assert.ok(!mayBeEmbedded({ model: null, ...(readBy && { embedder: readBy }) }, embedder));
  });
});
