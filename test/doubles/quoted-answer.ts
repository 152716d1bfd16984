import assert from 'node:assert/strict';
import type { Answer } from '../../src/research/domain/answer.ts';
import { runResearch } from './run-research.ts';
import { notePassage, ScriptedRetriever } from './scripted-retriever.ts';

/** What a run without a language model answers where no short answer is sure: quotes, the best line first. */
export async function quotedAnswer(): Promise<Answer> {
  const hut = notePassage('kestrel', 'Huts > Kestrel Hut', 'The keeper of Kestrel Hut is Mara Lindqvist.');
  const { answer } = await runResearch('Who keeps Kestrel Hut?', {
    retriever: new ScriptedRetriever([hut], {
      scripts: { kestrel: { chain: ['kestrel'], reading: { answerability: 0.6 } } },
    }),
  });
  assert.equal(answer?.lead?.kind, 'quotes');
  return answer;
}
