import type { Command } from 'commander';
import { reportError } from '#base';
import { type LanguageModel, openAiModel, parseBaseUrl } from '#research';
import { fineTunedModel } from '#learning';
import { UsageError } from './exit.ts';
import { learningFolder } from './places.ts';
import { positiveInteger } from './numbers.ts';

/** An OpenAI-compatible endpoint and a model there, as far as they are named. */
interface ModelEndpoint {
  baseUrl?: string;
  model?: string;
  /** The model's window in tokens; default: the server is asked. */
  contextTokens?: number;
}

/**
 * What options name, or else HOPTRAIL_BASE_URL and HOPTRAIL_MODEL. An empty variable names nothing.
 * @throws UsageError if the base URL is no address
 */
export function namedEndpoint(options: ModelEndpoint): ModelEndpoint {
  const baseUrl = options.baseUrl ?? (process.env['HOPTRAIL_BASE_URL'] || undefined);
  if (baseUrl !== undefined)
    try {
      parseBaseUrl(baseUrl);
    } catch (cause) {
      const { message, advice } = reportError(cause);
      throw new UsageError(message, { cause, advice });
    }
  return { baseUrl, model: options.model ?? (process.env['HOPTRAIL_MODEL'] || undefined) };
}

/**
 * For a command that asks a model. @throws UsageError if a model is named without its server: passages must not go to
 * another server by default
 */
function requireEndpoint(options: ModelEndpoint): void {
  const { baseUrl, model } = namedEndpoint(options);
  if (baseUrl === undefined && model !== undefined)
    throw new UsageError(`The model ${model} is named, but not the server that runs it.`, {
      advice:
        'Add --base-url http://127.0.0.1:11434/v1 for a server on this machine (this is Ollama’s), ' +
        '--base-url https://api.openai.com/v1 for OpenAI, or set HOPTRAIL_BASE_URL.',
    });
}

/**
 * The model of options or environment; undefined: none. A name alone names none: commands without a model ignore
 * HOPTRAIL_MODEL.
 */
export function modelFrom(options: ModelEndpoint & { learn?: boolean }): LanguageModel | undefined {
  const { baseUrl, model = 'local' } = namedEndpoint(options);
  if (baseUrl === undefined) return undefined;
  // A fine-tuned model that won stands for its base; an evaluation asks the model that it names.
  const asked = options.learn === false ? model : fineTunedModel(learningFolder(), baseUrl, model);
  return modelAt(baseUrl, asked, options.contextTokens);
}

/** The key for any endpoint; undefined: none is set. */
export const endpointKey = async (): Promise<string | undefined> => process.env['HOPTRAIL_API_KEY'];

/** The model of that name, asked with the key of the environment. */
export const modelAt = (baseUrl: string, model: string, contextTokens?: number): LanguageModel =>
  openAiModel({ baseUrl, model, apiKey: endpointKey, ...(contextTokens !== undefined && { contextTokens }) });

/** Adds the options that name a language model. */
export const withEndpoint = (made: Command): Command =>
  made
    .option('--base-url <url>', 'OpenAI-compatible endpoint (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
    .option('--model <name>', 'model at that endpoint (or HOPTRAIL_MODEL)')
    .option('--context-tokens <n>', 'window of the model; default: the server is asked', positiveInteger)
    .hook('preAction', (_, command) => requireEndpoint(command.opts()));
