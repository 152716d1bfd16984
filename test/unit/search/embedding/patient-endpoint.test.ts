import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Embedder, EmbeddingEndpointError } from '../../../../src/search/embedding/embedder.ts';
import { openPatiently } from '../../../../src/search/embedding/patient-endpoint.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const choice = { kind: 'endpoint' as const, baseUrl: 'http://localhost:1/v1', model: 'm' };

describe('an endpoint for embeddings that falls silent', () => {
  let up = true;
  const silence = (): EmbeddingEndpointError => new EmbeddingEndpointError(choice.baseUrl, 'no answer');
  const open = async (): Promise<Embedder> => {
    if (!up) throw silence();
    const own = new HashEmbedder();
    return {
      id: `m@${choice.baseUrl}/${own.dimensions}`,
      dimensions: own.dimensions,
      maxTokens: 512,
      countTokens: (text) => text.length,
      embedPassages: (texts) => (up ? own.embedPassages(texts) : Promise.reject(silence())),
      embedQuery: (text) => (up ? own.embedQuery(text) : Promise.reject(silence())),
      close: () => Promise.resolve(),
    };
  };

  it('is opened all the same once it has answered, and gives zeros to a question until it is back', async () => {
    const cache = temporaryFolder();
    up = false;
    await assert.rejects(openPatiently(choice, open, cache), { code: 'embedding-endpoint-failed' });
    up = true;
    const { id, dimensions } = await openPatiently(choice, open, cache);
    up = false;
    const later = await openPatiently(choice, open, cache);
    assert.deepEqual([later.id, later.dimensions], [id, dimensions]);
    assert.deepEqual(await later.embedQuery('who'), new Float32Array(dimensions));
    assert.deepEqual(await later.embedPassages(['who'], undefined, true), [new Float32Array(dimensions)]);
    await assert.rejects(later.embedPassages(['who']), { code: 'embedding-endpoint-failed' }, 'the index waits');
    up = true;
    assert.notDeepEqual(await later.embedQuery('who'), new Float32Array(dimensions));
  });

  it('does not hide what it says of a text or a key', async () => {
    up = true;
    const refusing = async (): Promise<Embedder> => ({
      ...(await open()),
      embedQuery: () => Promise.reject(new EmbeddingEndpointError(choice.baseUrl, 'denied', { status: 401 })),
    });
    const embedder = await openPatiently(choice, refusing, temporaryFolder());
    await assert.rejects(embedder.embedQuery('who'), { status: 401 });
  });
});
