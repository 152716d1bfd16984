import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { recordReplies, replayedModel } from '../../../../lab/evaluation/recording.ts';
import type { LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { askedIn, numberOfFile, promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { BEDS, BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { type RunSettings, runResearch } from '../../../doubles/run-research.ts';
import {
  type RecordedCall,
  ScriptedLanguageModel,
  type ScriptedReply,
} from '../../../doubles/scripted-language-model.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const PARTS = ['How many beds does Kestrel Hut have?', 'How many beds does Heron Hut have?'];

const isPart = (call: RecordedCall): boolean => PARTS.includes(askedIn(call)) && promptKind(call) === 'read';

/** Each part looks something up first; the sides are put together from what they said. */
function reply(call: RecordedCall): ScriptedReply {
  if (promptKind(call) === 'plan') return { json: { plan: ['sub-step'], subQuestions: PARTS } };
  const looked = call.messages.some(({ role }) => role === 'tool');
  if (isPart(call) && !looked) return { look: [{ tool: 'read', arguments: { path: 'notes/rope.md' } }] };
  if (!isPart(call) && promptKind(call) === 'read' && askedIn(call) === BEDS)
    return `Kestrel Hut has more beds [${numberOfFile(call, 'kestrel')}:1][${numberOfFile(call, 'heron')}:1].\nShort: yes`;
  return cooperative(call);
}

const ask = (model: LanguageModel, question: string, settings: Partial<RunSettings> = {}) =>
  runResearch(question, { retriever: relayRetriever(), model, ...settings });

describe('a run that is replayed', () => {
  for (const [name, question, settings] of [
    ['a plan with sub-questions', BEDS, { type: 'comparison' }],
    ['a debate', BORN, { options: { strategy: 'thorough' } }],
    ['steps that check themselves', BORN, { options: { operator: 'self-critical' } }],
    ['turns', BORN, { options: { operator: 'iterative-step' } }],
  ] as const)
    it(`has the same prompts hours later: ${name}`, async () => {
      const file = join(temporaryFolder(), 'replies.jsonl');
      const scripted = new ScriptedLanguageModel(question === BEDS ? reply : cooperative, { contextTokens: 131_072 });
      const recorded = await ask(recordReplies(scripted, file), question, settings);
      let time = Date.UTC(2031, 5, 7);
      // It has a reply to the same requests alone, word by word.
      const replayed = await ask(replayedModel(file), question, {
        ...settings,
        dependencies: { now: () => (time += 2000) },
      });
      assert.equal(replayed.ending, 'run-end');
      assert.deepEqual(replayed.answer, recorded.answer);
    });
});

describe('sub-questions that run side by side', () => {
  it('have the same prompts and numbers, whichever is answered first', async () => {
    const runs = [];
    for (const slow of PARTS) {
      let goOn = (): void => undefined;
      const after = new Promise<void>((resolve) => (goOn = resolve));
      const model = new ScriptedLanguageModel(
        (call) => {
          const said = reply(call);
          if (!isPart(call)) return said;
          if (askedIn(call) === slow) return { wait: after, reply: said };
          if (call.messages.some(({ role }) => role === 'tool')) setTimeout(() => goOn(), 20);
          return said;
        },
        { contextTokens: 131_072 },
      );
      const { answer, ending } = await ask(model, BEDS, { type: 'comparison' });
      assert.equal(ending, 'run-end');
      runs.push({ prompts: model.calls.map(({ prompt }) => prompt).sort(), answer });
    }
    assert.ok((runs[0]?.prompts.length ?? 0) >= 6);
    assert.deepEqual(runs[1], runs[0]);
  });
});
