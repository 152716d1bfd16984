import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type EmbedOne, EmbeddingQueue } from '../../../../src/search/embedding/open-embedder.ts';
import { settled } from '../../../doubles/waiting.ts';

/** A model whose every answer has to be let go. */
function manualModel(): {
  embed: (text: string) => Promise<Float32Array>;
  begun: string[];
  letGo: () => Promise<void>;
} {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    begun,
    embed: (text) =>
      new Promise((resolve) => {
        begun.push(text);
        waiting.push(() => resolve(Float32Array.of(text.length)));
      }),
    letGo: async () => {
      waiting.shift()?.();
      await settled();
    },
  };
}

function queueOf(...models: EmbedOne[]): EmbeddingQueue {
  const queue = new EmbeddingQueue();
  for (const model of models) queue.add(model);
  return queue;
}

describe('embedding queue', () => {
  it('embeds one text at a time, queries ahead of waiting passages', async () => {
    const model = manualModel();
    const queue = queueOf(model.embed);
    const passages = queue.passagesOf(['p1', 'p22', 'p333']);
    const query = queue.query('q');
    assert.deepEqual(model.begun, ['p1']);
    await model.letGo();
    assert.deepEqual(model.begun, ['p1', 'q'], 'a query waits for one passage');
    await model.letGo();
    assert.deepEqual(await query, Float32Array.of(1));
    await model.letGo();
    await model.letGo();
    assert.deepEqual(
      (await passages).map((vector) => vector[0]),
      [2, 3, 4],
    );
  });

  it('embeds what somebody waits for before passages that were there earlier, and queries before both', async () => {
    const model = manualModel();
    const queue = queueOf(model.embed);
    const all = [
      queue.passagesOf(['p1', 'p2']),
      queue.awaitedOf(['unit 1', 'unit 2']),
      queue.query('q').then((vector) => [vector]),
    ];
    for (let text = 0; text < 5; text++) await model.letGo();
    await Promise.all(all);
    assert.deepEqual(model.begun, ['p1', 'q', 'unit 1', 'unit 2', 'p2']);
  });

  it('embeds as many texts at once as there are copies of the model, and waits for the first of them', async () => {
    const [one, other] = [manualModel(), manualModel()];
    const queue = queueOf();
    const vectors = queue.passagesOf(['a', 'b', 'c', 'd']);
    queue.add(one.embed);
    queue.add(other.embed);
    assert.deepEqual([one.begun, other.begun], [['a'], ['b']]);
    await other.letGo();
    await other.letGo();
    await one.letGo();
    await one.letGo();
    await other.letGo();
    assert.deepEqual([one.begun, other.begun], [['a'], ['b', 'c', 'd']]);
    assert.equal((await vectors).length, 4);
    await queue.close(new Error('closed'));
  });

  it('gives no text to a copy of the model that has ended', async () => {
    const [one, other] = [manualModel(), manualModel()];
    const end = new AbortController();
    const ending: EmbedOne = (text) => (end.signal.aborted ? Promise.reject(new Error('ended')) : one.embed(text));
    const queue = queueOf(other.embed);
    queue.add(ending, end.signal);
    const first = queue.query('a');
    await one.letGo();
    await first;
    end.abort();
    const next = queue.passagesOf(['b', 'c']);
    await other.letGo();
    await other.letGo();
    assert.equal((await next).length, 2);
    assert.deepEqual([one.begun, other.begun], [['a'], ['b', 'c']]);
  });

  it('keeps vectors of what somebody waited for, those that were asked for last', async () => {
    let inferences = 0;
    const queue = queueOf(async (text) => Float32Array.of(++inferences, Number(text)));
    const many = Array.from({ length: 2000 }, (_, i) => String(i));
    const first = await queue.awaitedOf(['0', '1', '0']);
    assert.deepEqual(
      first.map(([, text]) => text),
      [0, 1, 0],
    );
    assert.equal(inferences, 2);
    await queue.awaitedOf(many.slice(2));
    await queue.awaitedOf(['0']);
    assert.equal(inferences, 2000, 'a text is embedded once');
    await queue.awaitedOf(['2000', '0']);
    assert.equal(inferences, 2001);
    assert.deepEqual((await queue.awaitedOf(['1']))[0], Float32Array.of(2002, 1), 'forgotten when others came');
    await queue.passagesOf(['0']);
    assert.equal(inferences, 2003, 'passages are embedded once anyway, and not kept');
  });

  it('drops what is aborted and goes on with the rest', async () => {
    const model = manualModel();
    const queue = queueOf(model.embed);
    const stop = new AbortController();
    const dropped = queue.passagesOf(['a', 'b', 'c'], stop.signal);
    const kept = queue.passagesOf(['d']);
    stop.abort();
    await assert.rejects(dropped, { name: 'AbortError' });
    await model.letGo();
    assert.deepEqual(model.begun, ['a', 'd']);
    await model.letGo();
    assert.equal((await kept).length, 1);
    await assert.rejects(queue.query('x', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('passes on a failure to whom it concerns, and rejects all when closed', async () => {
    const queue = queueOf((text) =>
      text === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(Float32Array.of(1)),
    );
    await assert.rejects(queue.passagesOf(['good', 'bad']), /no/);
    assert.equal((await queue.query('good'))[0], 1);
    const model = manualModel();
    const closing = queueOf(model.embed);
    const waiting = closing.passagesOf(['a', 'b']);
    const closed = closing.close(new Error('closed'));
    await assert.rejects(waiting, /closed/);
    await model.letGo();
    await closed;
    await assert.rejects(closing.query('q'), /closed/);
  });
});
