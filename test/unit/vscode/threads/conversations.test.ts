import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/model/question.ts';
import type { ResearchEvent } from '../../../../src/model/research-event.ts';
import type { ToWebview } from '../../../../src/protocol.ts';
import { Conversations, type Research } from '../../../../src/vscode/threads/conversations.ts';
import { feedbackExample } from '../../../../src/vscode/threads/feedback-store.ts';
import { passageIn, trailIn } from '../../../../src/vscode/threads/turn-passages.ts';
import { ThreadStore } from '../../../../src/vscode/threads/thread-store.ts';
import { abstainedRun, answeredRun, runningRun, stamp } from '../../../doubles/panel-runs.ts';

const whole = { kind: 'workspace' as const };

describe('Conversations', () => {
  let folder: string;
  let ids: number;
  const told: ToWebview[] = [];
  const reported: unknown[] = [];
  const make = (research: Research): Conversations => {
    const conversations = new Conversations({ store: new ThreadStore(folder), research, now: () => 1000, newId: () => `id${ids++}`, report: (error) => reported.push(error) });
    conversations.listen((_threadId, message) => told.push(message));
    return conversations;
  };
  const replay = (events: readonly ResearchEvent[]): Research => async function* () { yield* events; };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'conversations-'));
    ids = 0;
    told.length = 0;
    reported.length = 0;
  });
  afterEach(async () => { await rm(folder, { recursive: true, force: true }); });

  it('tells panels of a run as it goes and keeps it', async () => {
    const conversations = make(replay(answeredRun));
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    assert.equal(told[0]?.type, 'turn-start');
    assert.deepEqual(told.slice(1).map((message) => message.type === 'event' && message.event.type), answeredRun.map((event) => event.type));
    const restored = await make(replay([])).open(id);
    assert.equal(restored?.title, 'Who?');
    assert.equal(restored?.turns[0]?.events.at(-1)?.type, 'run-end');
    assert.equal(conversations.isRunning, false);
  });

  it('gives earlier answers to a follow-up, without those that were none', async () => {
    const asked: Question[] = [];
    const runs = [answeredRun, abstainedRun, stamp('third', [{ type: 'run-start', question: '', asked: '', model: null }])];
    const conversations = make(async function* (question) {
      asked.push(question);
      yield* runs[asked.length - 1] ?? [];
    });
    const { id } = conversations.create();
    for (const text of ['Who?', 'And 2019?', 'Since when?']) await conversations.ask(id, text, { kind: 'folder', path: 'people' });
    assert.deepEqual(asked[2]?.history, [{ question: 'Who?', answer: 'Hamish Adeyemi' }]);
    assert.deepEqual(asked[2]?.scope, { paths: ['people'] });
  });

  it('thinks harder about the same question at the same place, and knows it again', async () => {
    const asked: { question: Question; effort: string }[] = [];
    const runs = [answeredRun, stamp('second', answeredRun), stamp('third', answeredRun)];
    const conversations = make(async function* (question, _signal, effort) {
      asked.push({ question, effort });
      yield* runs[asked.length - 1] ?? [];
    });
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    await conversations.ask(id, 'Since when?', { kind: 'folder', path: 'people' });
    await conversations.thinkHarder('second');
    assert.deepEqual(asked.map(({ effort }) => effort), ['usual', 'usual', 'harder']);
    assert.deepEqual(asked[2]?.question, asked[1]?.question, 'what came after it is not known to it');
    const restored = await make(replay([])).open(id);
    assert.deepEqual(restored?.turns.map(({ question, harder }) => [question, harder ?? false]), [['Who?', false], ['Since when?', false], ['Since when?', true]]);
    await assert.rejects(conversations.thinkHarder('nowhere'), /not in an open thread/);
  });

  it('stops a run, and keeps what was found', async () => {
    const conversations = make(async function* (_question, signal) {
      yield* runningRun;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* stamp('running', [{ type: 'run-cancelled', usage: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 1, seconds: 1 } }]);
    });
    const { id } = conversations.create();
    const asking = conversations.ask(id, 'Who?', whole);
    while (!told.some((message) => message.type === 'event' && message.event.type === 'step-start')) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(conversations.isRunning, true);
    conversations.stop('running');
    await asking;
    const turn = conversations.findTurn('running')?.turn;
    assert.equal(turn?.events.at(-1)?.type, 'run-cancelled');
    assert.equal(trailIn(turn?.events ?? []).length, 3);
  });

  it('passes on what kept a run from beginning, and begins no thread', async () => {
    const conversations = make(async () => { throw new Error('no folder'); });
    const { id } = conversations.create();
    await assert.rejects(conversations.ask(id, 'Who?', whole), /no folder/);
    assert.deepEqual(await new ThreadStore(folder).list(''), []);
  });

  it('does not write a deleted thread again', async () => {
    const conversations = make(replay(answeredRun));
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    await conversations.delete(id);
    assert.equal(await conversations.open(id), undefined);
    await assert.rejects(conversations.ask(id, 'Again?', whole), /deleted/);
    assert.deepEqual(reported, []);
  });

  it('keeps judgements with what they are about', async () => {
    const conversations = make(replay(answeredRun));
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    const rejected = trailIn(answeredRun)[1]?.passage;
    assert.ok(rejected);
    const found = await conversations.setFeedback('answered', { rating: 'down', rejectedPassageIds: [rejected.id] });
    assert.ok(found);
    assert.equal(told.at(-1)?.type, 'feedback');
    const example = feedbackExample(found.turn, found.turn.feedback ?? { rejectedPassageIds: [] }, 7);
    assert.equal(example.rating, 'down');
    assert.deepEqual(example.rejected.map((passage) => passage.path), [rejected.path]);
    assert.equal(example.kept.length, 3);
    assert.equal(passageIn(answeredRun, rejected.id)?.path, rejected.path);
  });
});
