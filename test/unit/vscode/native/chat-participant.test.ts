import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { HoptrailError } from '../../../../src/base/errors.ts';
import type { Question } from '../../../../src/search/domain/question.ts';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';
import {
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  resetVscode,
} from '../../../doubles/vscode/vscode.ts';

const { answerInChat } = await import('../../../../src/vscode/native/chat-participant.ts');

class NoIndexError extends HoptrailError {
  readonly code = 'no-index';
}

describe('answerInChat', () => {
  const asked: Question[] = [];
  const answering = {
    get: async () => ({
      researchOptions: () => ({}),
      engine: {
        research: async function* (question: Question) {
          asked.push(question);
          yield* answeredRun;
        },
      },
    }),
  } as unknown as SessionHolder;

  function answer(
    sessions: SessionHolder,
    prompt: string,
    { history = [], cancelled = false }: { history?: unknown[]; cancelled?: boolean } = {},
  ): Promise<vscode.ChatResult> {
    const stream = {
      markdown: () => undefined,
      anchor: () => undefined,
      reference: () => undefined,
      progress: () => undefined,
    };
    const token = { isCancellationRequested: cancelled, onCancellationRequested: () => ({ dispose: () => undefined }) };
    return answerInChat(
      sessions,
      { prompt } as vscode.ChatRequest,
      { history } as unknown as vscode.ChatContext,
      stream as unknown as vscode.ChatResponseStream,
      token,
    );
  }

  afterEach(() => {
    resetVscode();
    asked.length = 0;
  });

  it('takes earlier exchanges along, each with the question that it was', async () => {
    const said = (text: string) => new ChatResponseTurn(new ChatResponseMarkdownPart(text));
    const result = await answer(answering, ' And then? ', {
      history: [
        new ChatRequestTurn('', 'overview'),
        said('Two parts.'),
        new ChatRequestTurn('Who rings?'),
        said('Hamish.'),
      ],
    });
    assert.equal((result.metadata as { answered: boolean }).answered, true);
    assert.equal(asked[0]?.text, 'And then?');
    assert.match(asked[0]?.history[0]?.question ?? '', /^What is this workspace about/);
    assert.deepEqual(
      asked[0]?.history.map((turn) => turn.answer),
      ['Two parts.', 'Hamish.'],
    );
    assert.equal(asked[0]?.history[1]?.question, 'Who rings?');
  });

  it('cuts no emoji of an earlier answer in half', async () => {
    const long = 'x'.repeat(1999);
    const history = [
      new ChatRequestTurn('Who rings?'),
      new ChatResponseTurn(new ChatResponseMarkdownPart(`${long}🚢`)),
    ];
    await answer(answering, 'And then?', { history });
    assert.equal(asked[0]?.history[0]?.answer, long);
  });

  it('tells what keeps it from answering with what can be done, unless it was stopped', async () => {
    const closed = {
      get: async () => {
        throw new NoIndexError('No folder is open.', { advice: 'Open one.' });
      },
    } as unknown as SessionHolder;
    assert.equal((await answer(closed, 'Who?')).errorDetails?.message, 'No folder is open. Open one.');
    assert.equal((await answer(closed, 'Who?', { cancelled: true })).errorDetails, undefined);
    const broken = {
      get: async () => {
        throw new TypeError('x is undefined');
      },
    } as unknown as SessionHolder;
    await assert.rejects(answer(broken, 'Who?'), TypeError);
  });
});
