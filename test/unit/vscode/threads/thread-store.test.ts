import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { compactEvents } from '../../../../src/vscode/threads/thread-log.ts';
import { titleFromQuestion, type ThreadRecord } from '../../../../src/vscode/threads/thread-log.ts';
import { ThreadStore, ThreadStoreError } from '../../../../src/vscode/threads/thread-store.ts';
import { answeredRun, runningRun, silentRun, stamp, supplierHits } from '../../../doubles/panel-runs.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const begin = (id: string, title: string, time = 1): ThreadRecord => ({ type: 'thread', version: 1, id, title, time });
const turn = (runId: string, question: string, time = 2): ThreadRecord => ({
  type: 'turn',
  runId,
  question,
  scope: { kind: 'workspace' },
  time,
});
const never = (): boolean => false;

describe('ThreadStore', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('restores a thread as it was: turns, events, feedback, title', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'Batteries'), turn('answered', 'Who?')]);
    await store.append('a', [
      { type: 'events', runId: 'answered', events: answeredRun },
      { type: 'feedback', runId: 'answered', feedback: { rating: 'up', rejectedPassageIds: ['p'] } },
    ]);
    await store.append('a', [{ type: 'title', title: 'Renamed', time: 9 }]);
    const thread = await new ThreadStore(folder).read('a', never);
    assert.equal(thread?.title, 'Renamed');
    assert.equal(thread?.turns[0]?.cutOff, false);
    assert.equal(thread?.turns[0]?.feedback?.rating, 'up');
    assert.deepEqual(thread?.turns[0]?.events.map((event) => event.type).slice(-2), ['answer-end', 'run-end']);
    assert.ok(
      thread?.turns[0]?.events.every((event) => event.type !== 'answer-delta'),
      'the checked answer replaces what was streamed',
    );
  });

  it('keeps and lists threads beside a file that cannot be read', async () => {
    await mkdir(path.join(folder, 'broken.jsonl'));
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'Batteries'), turn('r1', 'Who?')]);
    assert.deepEqual(
      (await store.list('')).map((thread) => thread.id),
      ['a'],
    );
  });

  it('lists threads that another window begins, and not those that it deletes', async () => {
    const [first, second] = [new ThreadStore(folder), new ThreadStore(folder)];
    await first.append('a', [begin('a', 'Batteries'), turn('r1', 'Who?')]);
    assert.deepEqual(
      (await second.list('')).map((thread) => thread.id),
      ['a'],
    );
    await second.append('b', [begin('b', 'Masts', 5), turn('r2', 'How high?', 6)]);
    await first.append('a', [turn('r3', 'Since when?', 7)]);
    assert.deepEqual(
      (await first.list('')).map(({ id, turns }) => [id, turns]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
    await second.delete('a');
    assert.deepEqual(
      (await first.list('')).map((thread) => thread.id),
      ['b'],
    );
    assert.deepEqual(
      (await first.list('high')).map((thread) => thread.id),
      ['b'],
    );
  });

  it('forgets no question that is asked while the threads are listed', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'Batteries'), turn('r1', 'Who?')]);
    const listing = store.list('');
    for (let i = 0; i < 5; i++) await Promise.resolve(); // it reads the folder now
    await Promise.all([listing, store.append('a', [turn('r2', 'Since when?', 7)])]);
    for (const again of [store, new ThreadStore(folder)])
      assert.deepEqual(await again.list('since'), [{ id: 'a', title: 'Batteries', updated: 7, turns: 2 }]);
  });

  it('marks a run that never ended as cut off, unless it is still going', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [
      begin('a', 'x'),
      turn('running', 'Who?'),
      { type: 'events', runId: 'running', events: runningRun },
    ]);
    assert.equal((await store.read('a', never))?.turns[0]?.cutOff, true);
    assert.equal((await store.read('a', () => true))?.turns[0]?.cutOff, false);
  });

  it('survives a torn last line, and so does what comes after it', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'x'), turn('r', 'Who?')]);
    await appendFile(path.join(folder, 'a.jsonl'), '\n{"type":"events","runId":"r","ev');
    assert.equal((await store.read('a', never))?.turns.length, 1);
    await store.append('a', [turn('s', 'When?')]);
    assert.deepEqual(
      (await store.read('a', never))?.turns.map(({ question }) => question),
      ['Who?', 'When?'],
    );
  });

  it('lists newest first, searches titles and questions, and deletes', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'Batteries'), turn('1', 'Who makes the pack?', 5)]);
    await store.append('b', [begin('b', 'Huts'), turn('2', 'Which huts had ice?', 8), turn('3', 'And when?', 9)]);
    assert.deepEqual(
      (await store.list('')).map(({ id, turns }) => [id, turns]),
      [
        ['b', 2],
        ['a', 1],
      ],
    );
    assert.deepEqual(
      (await store.list('pack makes')).map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual((await store.list('nothing')).length, 0);
    await store.delete('b');
    assert.deepEqual(
      (await new ThreadStore(folder).list('')).map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual((await readdir(folder)).sort(), ['a.jsonl', 'threads.json']);
  });

  it('knows which thread was shown last', async () => {
    assert.equal(await new ThreadStore(folder).active(), undefined);
    await new ThreadStore(folder).setActive('b');
    assert.equal(await new ThreadStore(folder).active(), 'b');
    assert.deepEqual(await new ThreadStore(folder).list(''), []);
  });

  it('makes its list again when that is lost or torn', async () => {
    const store = new ThreadStore(folder);
    await store.append('a', [begin('a', 'Batteries'), turn('1', 'Who?', 5)]);
    await writeFile(path.join(folder, 'threads.json'), '[{"id":');
    assert.deepEqual(await new ThreadStore(folder).list(''), [{ id: 'a', title: 'Batteries', updated: 5, turns: 1 }]);
  });

  it('leaves nothing behind where the list cannot be written', async () => {
    await mkdir(path.join(folder, 'threads.json'));
    await assert.rejects(new ThreadStore(folder).append('a', [begin('a', 'Batteries')]), ThreadStoreError);
    assert.deepEqual((await readdir(folder)).sort(), ['a.jsonl', 'threads.json']);
  });

  it('says where threads cannot be kept', async () => {
    const file = path.join(folder, 'taken');
    await writeFile(file, '');
    await assert.rejects(
      new ThreadStore(path.join(file, 'threads')).append('a', [begin('a', 'x')]),
      (error) => error instanceof ThreadStoreError && error.message.includes(file),
    );
  });
});

describe('compactEvents', () => {
  it('joins what was streamed and keeps passages findable', () => {
    const long = {
      ...supplierHits[0],
      passage: { ...supplierHits[0]?.passage, text: 'line of text\n'.repeat(100) },
    } as (typeof supplierHits)[number];
    const events = compactEvents(
      stamp('r', [
        {
          type: 'passages-retrieved',
          stepId: 's',
          query: 'q',
          hits: Array.from({ length: 20 }, () => long),
          milliseconds: 1,
        },
        { type: 'answer-delta', text: 'a' },
        { type: 'answer-delta', text: 'b' },
      ]),
    );
    assert.equal(events.length, 2);
    const [retrieved, delta] = events;
    assert.ok(retrieved?.type === 'passages-retrieved' && retrieved.hits.length === 8);
    assert.match(retrieved.hits[0]?.passage.text ?? '', /^(line of text\n)+line of text$/);
    assert.ok((retrieved.hits[0]?.passage.text.length ?? 0) <= 400);
    assert.ok(delta?.type === 'answer-delta' && delta.text === 'ab');
  });
});

describe('first hits in compactEvents', () => {
  it('are not kept: they only pass the time', () => {
    assert.deepEqual(compactEvents(stamp('r', [{ type: 'first-hits', hits: supplierHits }])), []);
  });

  it('nor are quotes that stood in the place of an answer', () => {
    assert.ok(compactEvents(silentRun).every(({ type }) => type !== 'quotes-meanwhile'));
  });
});

describe('titleFromQuestion', () => {
  it('is one line, cut between words', () => {
    assert.equal(titleFromQuestion('Who\n  rings?'), 'Who rings?');
    const title = titleFromQuestion('word '.repeat(40));
    assert.ok(title.length <= 80 && title.endsWith('word…'));
    for (const before of ['', 'a']) assert.doesNotMatch(titleFromQuestion(before + '😀'.repeat(50)), /\p{Cs}/u);
  });
});
