/** A server of language models. */
export interface ModelServer {
  name: string;
  /** Its OpenAI-compatible address. */
  baseUrl: string;
}

export interface LocalModel {
  server: ModelServer;
  id: string;
  contextTokens?: number;
}

/** Where they listen unless somebody has told them otherwise. */
export const LOCAL_SERVERS: readonly ModelServer[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
];

/** Services that many people have a key for, by their OpenAI-compatible address. */
export const SERVICES: readonly ModelServer[] = [
  { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  { name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
];

const PATIENCE_MS = 2000;

/**
 * The models of the servers that answer, as they do, and once more when their windows are known. A server that is not
 * there is no error. No key is sent.
 */
export async function findLocalModels(
  servers: readonly ModelServer[],
  onFound: (server: ModelServer, models: LocalModel[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { listOpenAiModels, windowOfOpenAiModel } = await import('#research');
  const stop = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  await Promise.all(
    servers.map(async (server) => {
      const endpoint = { baseUrl: server.baseUrl, apiKey: async () => undefined };
      const found = (await listOpenAiModels(endpoint, stop).catch(() => [])) // not running, or it is something else
        .map((model): LocalModel => ({ server, ...model }));
      if (found.length === 0 || signal.aborted) return;
      onFound(server, found);
      const untold = found.filter(({ contextTokens }) => contextTokens === undefined);
      for (const model of untold) {
        // One after the other: they are on this machine, and may have an answer to write meanwhile.
        const contextTokens = await windowOfOpenAiModel(endpoint, model.id, signal);
        if (contextTokens !== undefined) model.contextTokens = contextTokens;
      }
      if (untold.some(({ contextTokens }) => contextTokens !== undefined) && !signal.aborted) onFound(server, found);
    }),
  );
}
