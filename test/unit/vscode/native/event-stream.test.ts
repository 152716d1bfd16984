import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import { answerIn } from '../../../../src/vscode/threads/turn-passages.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';

const { showAnswer, showProgress } = await import('../../../../src/vscode/native/event-stream.ts');
const answer = answerIn(answeredRun) ?? assert.fail('The run has no answer.');

/** What the chat is given, as one text with its anchors in ⟨⟩. */
function shown(text: string, rest: Partial<Answer> = {}): string {
  let chat = '';
  const stream = {
    markdown: (part: string) => {
      chat += part;
    },
    anchor: (_location: unknown, title: string) => {
      chat += `⟨${title}⟩`;
    },
    reference: () => undefined,
  };
  showAnswer(
    { ...answer, text, chain: { ...answer.chain, hops: [] }, subAnswers: [], ...rest },
    stream as unknown as vscode.ChatResponseStream,
  );
  return chat;
}

describe('the progress of a run in the chat', () => {
  it('has no links of what documents and models say', () => {
    const told: string[] = [];
    const stream = { progress: (text: string) => told.push(text) } as unknown as vscode.ChatResponseStream;
    const at = { runId: 'r', time: 0 };
    const foreign = '[Ring](https://evil.example)';
    showProgress(
      { ...at, type: 'step-start', stepId: 's', operator: 'sub-step', question: foreign, dependsOn: [] },
      stream,
    );
    const subAnswer = { stepId: 's', question: 'Who?', answer: foreign, found: true, passageIds: [] };
    showProgress({ ...at, type: 'sub-answer-ready', stepId: 's', subAnswer }, stream);
    showProgress({ ...at, type: 'notice', code: 'foreign', message: foreign }, stream);
    assert.deepEqual(told, Array(3).fill('\\[Ring\\](https\\://evil.example)'));
  });
});

describe('an answer in the chat', () => {
  it('has its marks as anchors to file and line', () => {
    assert.equal(shown('Ring **Hamish** [4], not [9].'), 'Ring **Hamish** ⟨hamish-adeyemi.md:1⟩, not [9].');
  });

  it('leaves code as it is', () => {
    const code = 'It reads `argv[1]`:\n\n```ts\nconst cell = cells[2];\n```\n\nSee ';
    assert.equal(shown(`${code}[2].`), `${code}⟨mast-power.md:10⟩.`);
  });

  it('has a trail whose hops are named by the line that matters, not by where their passages begin', () => {
    const hop = answer.chain.hops[1] ?? assert.fail('The trail has one hop.');
    assert.notEqual(hop.passage.startLine, 10);
    assert.match(
      shown('Ring Hamish.', { chain: answer.chain }),
      /^2\. ⟨systems\/mast-power\.md:10⟩ “The silent weekend” links to /m,
    );
  });

  it('that is a refusal says so, and calls the passages closest', () => {
    const chat = shown('', { abstained: true, refusal: 'part-looked-at', chain: answer.chain });
    assert.ok(chat.startsWith('**I couldn’t find an answer in the part that was searched.**'), chat);
    assert.match(chat, /\*\*Closest passages\*\*/);
    assert.doesNotMatch(chat, /\*\*Sources\*\*/);
  });

  it('lists what stays open', () => {
    assert.match(shown('Hamish.', { missing: ['Since when?'] }), /Still open:\n\n- Since when\?/);
  });
});
