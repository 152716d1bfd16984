import { type LanguageModel, openAiModel } from '#research';

/** An OpenAI-compatible endpoint and a model there, each as far as it is named. */
export interface ModelEndpoint {
  baseUrl?: string;
  model?: string;
  /** What the model takes; undefined: the server is asked. */
  contextTokens?: number;
}

/** What options name, or else the environment: HOPTRAIL_BASE_URL, HOPTRAIL_MODEL. */
export function namedEndpoint(options: ModelEndpoint): ModelEndpoint {
  return {
    baseUrl: options.baseUrl ?? process.env['HOPTRAIL_BASE_URL'],
    model: options.model ?? process.env['HOPTRAIL_MODEL'],
  };
}

/** The key of any endpoint on the command line; undefined: none is set. */
export const endpointKey = async (): Promise<string | undefined> => process.env['HOPTRAIL_API_KEY'];

/** The model of that name, asked with the key of the environment. */
export const modelAt = (baseUrl: string, model: string, contextTokens?: number): LanguageModel =>
  openAiModel({ baseUrl, model, apiKey: endpointKey, ...(contextTokens !== undefined && { contextTokens }) });
