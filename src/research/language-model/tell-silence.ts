import type { TimerClock } from '#base';
import type { LanguageModel } from './language-model.ts';

/** Seconds without a word after which a person is told: most models have begun by then. */
export const SILENT_AFTER = 8;

/** The same model, whose calls go another way. */
export function withStream(model: LanguageModel, stream: LanguageModel['stream']): LanguageModel {
  return {
    id: model.id,
    name: model.name,
    ...(model.endpoint !== undefined && { endpoint: model.endpoint }),
    get contextTokens() {
      return model.contextTokens;
    },
    get windowNote() {
      return model.windowNote;
    },
    learnWindow: async (signal) => model.learnWindow?.(signal),
    countTokens: (text) => model.countTokens(text),
    stream,
  };
}

/**
 * The same model; calls `silent` when a call of it has sent no text for {@link SILENT_AFTER} seconds from its start.
 * The call goes on: a large prompt takes a small machine minutes.
 */
export function tellSilence(model: LanguageModel, silent: () => void, later: TimerClock['later']): LanguageModel {
  return withStream(model, async function* (messages, options) {
    const heard = later(SILENT_AFTER * 1000, silent);
    try {
      for await (const part of model.stream(messages, options)) {
        heard();
        yield part;
      }
    } finally {
      heard();
    }
  });
}
