import { contextRoom, fitPassages } from '../../llm/context-window.ts';
import type { ChatMessage, LanguageModel } from '../../llm/language-model.ts';
import type { Passage } from '../../model/passage.ts';
import type { PromptPassage } from './passage-block.ts';

/** Tokens that one prompt spends on passages: a share of the window, since a run asks often and tokens cost time. */
const SHARE = 1 / 5;
const LEAST = 400;
const MOST = 6000;

export interface ShownPassages {
  shown: PromptPassage[];
  /** What was cut, in one sentence for people; undefined when everything fitted. */
  notice?: string;
}

/** Passages, best first, as a prompt shows them: numbered by the run, cut to the model's window and to a share of it. */
export function showPassages(
  model: Pick<LanguageModel, 'contextTokens'>,
  passages: readonly Passage[],
  numberOf: (passageId: string) => number | undefined,
  rest: { messages: readonly ChatMessage[]; replyTokens: number },
): ShownPassages {
  const share = Math.min(MOST, Math.max(LEAST, Math.floor(model.contextTokens * SHARE)));
  const tokens = Math.min(share, contextRoom(model, rest.messages, rest.replyTokens));
  const fit = fitPassages(passages.map((passage, i) => ({ passage, relevance: -i })), { tokens, perPassage: 40 });
  const shown = fit.passages.flatMap(({ passage, text }): PromptPassage[] => {
    const number = numberOf(passage.id);
    return number === undefined ? [] : [{ number, path: passage.path, title: passage.title, text }];
  });
  return { shown, notice: fit.notice };
}
