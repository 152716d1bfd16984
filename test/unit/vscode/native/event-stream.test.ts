import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { answerIn } from '../../../../src/vscode/threads/conversations.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';

const { showAnswer } = await import('../../../../src/vscode/native/event-stream.ts');
const answer = answerIn(answeredRun) ?? assert.fail('The run has no answer.');

/** What the chat is given, as one text with its anchors in ⟨⟩. */
function shown(text: string): string {
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
  showAnswer({ ...answer, text, chain: { ...answer.chain, hops: [] } }, stream as unknown as vscode.ChatResponseStream);
  return chat;
}

describe('an answer in the chat', () => {
  it('has its marks as anchors to file and line', () => {
    assert.equal(shown('Ring **Hamish** [4], not [9].'), 'Ring **Hamish** ⟨hamish-adeyemi.md:1⟩, not [9].');
  });

  it('leaves code as it is', () => {
    const code = 'It reads `argv[1]`:\n\n```ts\nconst cell = cells[2];\n```\n\nSee ';
    assert.equal(shown(`${code}[2].`), `${code}⟨mast-power.md:10⟩.`);
  });
});
