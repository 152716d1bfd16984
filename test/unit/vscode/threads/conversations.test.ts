import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/search/domain/question.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { Thread, ThreadTurn, ToWebview } from '../../../../src/vscode/protocol.ts';
import { Conversations, type Research } from '../../../../src/vscode/threads/conversations.ts';
import { feedbackExample } from '../../../../src/vscode/threads/feedback-store.ts';
import { passageIn, trailIn } from '../../../../src/vscode/threads/turn-passages.ts';
import { ThreadStore } from '../../../../src/vscode/threads/thread-store.ts';
import { abstainedRun, answeredRun, runningRun, silentRun, stamp } from '../../../doubles/panel-runs.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { until } from '../../../doubles/waiting.ts';

const whole = { kind: 'workspace' as const };

describe('Conversations', () => {
  let folder: string;
  let ids: number;
  const told: ToWebview[] = [];
  const reported: unknown[] = [];
  const make = (research: Research, store = new ThreadStore(folder)): Conversations => {
    const conversations = new Conversations({
      store,
      research,
      now: () => 1000,
      newId: () => `id${ids++}`,
      report: (error) => reported.push(error),
    });
    conversations.listen((_threadId, message) => told.push(message));
    return conversations;
  };
  /** The events of a run as those of the run that is asked for. */
  const asRun = ({ runId = '' }: Question, events: readonly ResearchEvent[]): ResearchEvent[] =>
    events.map((event) => ({ ...event, runId }));
  const replay = (events: readonly ResearchEvent[]): Research =>
    async function* (question) {
      yield* asRun(question, events);
    };
  const newest = (conversations: Conversations, thread: Thread): ThreadTurn => {
    const turn = conversations.findTurn(thread.turns.at(-1)?.runId ?? '')?.turn;
    assert.ok(turn);
    return turn;
  };

  beforeEach(() => {
    folder = temporaryFolder();
    ids = 0;
    told.length = 0;
    reported.length = 0;
  });

  it('tells panels of a run as it goes and keeps it', async () => {
    const conversations = make(replay(answeredRun));
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    assert.equal(told[0]?.type, 'turn-start');
    assert.deepEqual(
      told.slice(1).map((message) => message.type === 'event' && message.event.type),
      answeredRun.map((event) => event.type),
    );
    const restored = await make(replay([])).open(id);
    assert.equal(restored?.title, 'Who?');
    assert.equal(restored?.turns[0]?.events.at(-1)?.type, 'run-end');
    assert.equal(conversations.isRunning, false);
  });

  it('gives earlier answers to a follow-up, without those that were none', async () => {
    const asked: Question[] = [];
    const runs = [
      answeredRun,
      abstainedRun,
      stamp('third', [{ type: 'run-start', question: '', asked: '', model: null }]),
    ];
    const conversations = make(async function* (question) {
      asked.push(question);
      yield* asRun(question, runs[asked.length - 1] ?? []);
    });
    const { id } = conversations.create();
    for (const text of ['Who?', 'And 2019?', 'Since when?'])
      await conversations.ask(id, text, { kind: 'folder', path: 'people' });
    assert.deepEqual(asked[2]?.history, [{ question: 'Who?', answer: 'Hamish Adeyemi' }]);
    assert.deepEqual(asked[2]?.scope, { paths: ['people'] });
  });

  it('thinks harder about the same question at the same place, and knows it again', async () => {
    const asked: { question: Question; effort: string }[] = [];
    const conversations = make(async function* (question, _signal, effort) {
      asked.push({ question, effort });
      yield* asRun(question, answeredRun);
    });
    const thread = conversations.create();
    const { id } = thread;
    await conversations.ask(id, 'Who?', whole);
    await conversations.ask(id, 'Since when?', { kind: 'folder', path: 'people' });
    await conversations.thinkHarder(thread.turns[1]?.runId ?? '');
    assert.deepEqual(
      asked.map(({ effort }) => effort),
      ['usual', 'usual', 'harder'],
    );
    assert.deepEqual(
      { ...asked[2]?.question, runId: '' },
      { ...asked[1]?.question, runId: '' },
      'what came after it is not known to it',
    );
    assert.notEqual(asked[2]?.question.runId, asked[1]?.question.runId);
    const restored = await make(replay([])).open(id);
    assert.deepEqual(
      restored?.turns.map(({ question, harder }) => [question, harder ?? false]),
      [
        ['Who?', false],
        ['Since when?', false],
        ['Since when?', true],
      ],
    );
    await assert.rejects(conversations.thinkHarder('nowhere'), /not in an open thread/);
  });

  it('quotes in place of a model that is silent, once its run has ended', async () => {
    const asked: { question: Question; effort: string }[] = [];
    const conversations = make(async function* (question, signal, effort) {
      asked.push({ question, effort });
      if (effort === 'quotes') return yield* asRun(question, answeredRun);
      yield* asRun(question, runningRun);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    });
    const thread = conversations.create();
    const waiting = conversations.ask(thread.id, 'Who?', { kind: 'folder', path: 'people' });
    await until(() => asked.length > 0, 'the run has begun');
    await conversations.quoteInstead(thread.turns[0]?.runId ?? '');
    await waiting;
    assert.deepEqual(
      asked.map(({ effort, question }) => [effort, question.text, question.scope]),
      [
        ['usual', 'Who?', { paths: ['people'] }],
        ['quotes', 'Who?', { paths: ['people'] }],
      ],
    );
    assert.deepEqual(
      thread.turns.map(({ events }) => events.at(-1)?.type),
      ['run-cancelled', 'run-end'],
    );
    await conversations.quoteInstead(thread.turns[1]?.runId ?? '');
    assert.equal(thread.turns.length, 3, 'a run that has ended meanwhile is asked again all the same');
  });

  it('asks as written, with a selection, or instead of an earlier question, each with the history that belongs to it', async () => {
    const asked: { question: Question; without: unknown }[] = [];
    const conversations = make(async function* (question, _signal, _effort, without) {
      asked.push({ question, without });
      yield* asRun(question, answeredRun);
    });
    const thread = conversations.create();
    const { id } = thread;
    const without = { passageIds: ['p'], paths: [] };
    const selection = { path: 'a.md', startLine: 3, endLine: 3, text: ' Heater ' };
    await conversations.ask(id, 'Who?', whole);
    await conversations.ask(id, 'And why?', whole, { asWritten: true });
    await conversations.ask(id, 'What is this?', whole, { selection });
    await conversations.ask(id, 'And when?', whole, { before: thread.turns[1]?.runId ?? '' });
    await conversations.again(thread.turns[2]?.runId ?? '', without);
    await conversations.again(thread.turns[4]?.runId ?? '', { passageIds: ['q'], paths: ['b.md'] });
    await conversations.again(thread.turns[1]?.runId ?? '');
    await conversations.thinkHarder(thread.turns[6]?.runId ?? '');
    assert.deepEqual(
      asked.map(({ question }) => question.history.length),
      [0, 0, 0, 1, 0, 0, 0, 0],
      'repeated, too, it is asked as written',
    );
    assert.equal(asked[2]?.question.text, 'What is this? ("Heater" in a.md)');
    assert.equal(asked[4]?.question.text, asked[2]?.question.text);
    assert.deepEqual(asked[5]?.without, { passageIds: ['p', 'q'], paths: ['b.md'] });
    const restored = await make(replay([])).open(id);
    assert.deepEqual(
      restored?.turns.slice(4).map((turn) => [turn.question, turn.selection, turn.without, turn.asWritten]),
      [
        ['What is this?', selection, without, undefined],
        ['What is this?', selection, { passageIds: ['p', 'q'], paths: ['b.md'] }, undefined],
        ['And why?', undefined, undefined, true],
        ['And why?', undefined, undefined, true],
      ],
    );
  });

  it('keeps a run that was made elsewhere as a thread of its own', async () => {
    const conversations = make(replay([]));
    const events = asRun({ text: '', history: [], runId: 'quick' }, answeredRun);
    const thread = await conversations.keep({ runId: 'quick', question: 'Who rings?', events });
    assert.equal(conversations.findTurn('quick')?.thread.id, thread.id);
    const restored = await make(replay([])).open(thread.id);
    assert.deepEqual(
      restored?.turns.map((turn) => [turn.runId, turn.question, turn.cutOff, turn.events.at(-1)?.type]),
      [['quick', 'Who rings?', false, 'run-end']],
    );
  });

  it('stops a run, and keeps what was found', async () => {
    const conversations = make(async function* (question, signal) {
      yield* asRun(question, runningRun);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* asRun(
        question,
        stamp('running', [
          {
            type: 'run-cancelled',
            usage: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 1, seconds: 1 },
          },
        ]),
      );
    });
    const thread = conversations.create();
    const { id } = thread;
    const asking = conversations.ask(id, 'Who?', whole);
    await until(
      () => told.some((message) => message.type === 'event' && message.event.type === 'step-start'),
      'a step has begun',
    );
    assert.equal(conversations.isRunning, true);
    await assert.rejects(conversations.ask(id, 'And why?', whole), /still being answered/);
    conversations.stop(newest(conversations, thread).runId);
    await asking;
    const turn = newest(conversations, thread);
    assert.equal(turn.question, 'Who?', 'what came meanwhile was not begun');
    assert.equal(turn.events.at(-1)?.type, 'run-cancelled');
    assert.equal(trailIn(turn.events).length, 3);
  });

  it('shows a question before its run has begun, and stops it then', async () => {
    const conversations = make(() => new Promise(() => undefined)); // an index that opens for ever
    const thread = conversations.create();
    const asking = conversations.ask(thread.id, 'Who?', whole);
    await until(() => told.some((message) => message.type === 'turn-start'), 'the turn has begun');
    assert.equal(conversations.isRunning, true);
    conversations.stop(newest(conversations, thread).runId);
    await asking;
    assert.deepEqual(
      newest(conversations, thread).events.map((event) => event.type),
      ['run-cancelled'],
    );
    assert.equal(conversations.isRunning, false);
  });

  it('does not bring back a thread that is deleted before its run has begun', async () => {
    const conversations = make(() => new Promise(() => undefined));
    const { id } = conversations.create();
    const asking = conversations.ask(id, 'Who?', whole);
    await until(() => told.some((message) => message.type === 'turn-start'), 'the turn has begun');
    await conversations.delete(id);
    await asking;
    assert.deepEqual(await new ThreadStore(folder).list(''), []);
    assert.deepEqual(reported, []);
  });

  it('does not bring back a thread that is deleted while its first words are being written', async () => {
    let write = (): void => undefined;
    const written = new Promise<void>((resolve) => (write = resolve));
    class SlowStore extends ThreadStore {
      override async append(...record: Parameters<ThreadStore['append']>): Promise<void> {
        await written;
        await super.append(...record);
      }
    }
    const conversations = make(() => new Promise(() => undefined), new SlowStore(folder));
    const { id } = conversations.create();
    const asking = conversations.ask(id, 'Who?', whole);
    await until(() => told.some((message) => message.type === 'turn-start'), 'the turn has begun');
    const deleting = conversations.delete(id);
    write();
    await deleting;
    await asking;
    assert.deepEqual(await new ThreadStore(folder).list(''), []);
  });

  it('gives two panels that open a thread at once the same one', async () => {
    const { id } = await (async () => {
      const first = make(replay(answeredRun));
      const thread = first.create();
      await first.ask(thread.id, 'Who?', whole);
      return thread;
    })();
    const conversations = make(replay([]));
    const [one, other] = await Promise.all([conversations.open(id), conversations.open(id)]);
    assert.ok(one);
    assert.equal(one, other);
  });

  it('keeps a question whose run could not begin, with what kept it', async () => {
    const conversations = make(async () => {
      throw new Error('no folder');
    });
    const { id } = conversations.create();
    await conversations.ask(id, 'Who?', whole);
    const [end] = told.slice(-1);
    assert.ok(end?.type === 'event' && end.event.type === 'run-error');
    assert.match(end.event.error.message, /no folder/);
    const restored = await make(replay([])).open(id);
    assert.deepEqual(
      restored?.turns.map(({ question, cutOff, events }) => [question, cutOff, events.length]),
      [['Who?', false, 1]],
    );
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
    const thread = conversations.create();
    await conversations.ask(thread.id, 'Who?', whole);
    const rejected = trailIn(answeredRun)[1]?.passage;
    assert.ok(rejected);
    const found = await conversations.setFeedback(newest(conversations, thread).runId, {
      rating: 'down',
      rejectedPassageIds: [rejected.id],
    });
    assert.ok(found);
    assert.equal(told.at(-1)?.type, 'feedback');
    const example = feedbackExample(found.turn, found.turn.feedback ?? { rejectedPassageIds: [] }, 7);
    assert.equal(example.rating, 'down');
    assert.deepEqual(
      example.rejected.map((passage) => passage.path),
      [rejected.path],
    );
    assert.equal(example.kept.length, 3);
    assert.equal(passageIn(answeredRun, rejected.id)?.path, rejected.path);
    const first = stamp('r', [{ type: 'first-hits', hits: [{ passage: rejected, score: 1 }] }]);
    assert.equal(passageIn(first, rejected.id)?.path, rejected.path);
    const quotes = silentRun.filter(({ type }) => type === 'quotes-meanwhile');
    assert.equal(passageIn(quotes, rejected.id)?.path, rejected.path);
  });
});
