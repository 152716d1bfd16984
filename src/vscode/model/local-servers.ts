/** A server of language models. */
export interface ModelServer {
  name: string;
  /** Its OpenAI-compatible address. */
  baseUrl: string;
}

/** A model that such a server offers. */
export interface LocalModel {
  server: ModelServer;
  id: string;
  /** What it takes, where the server says so. */
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

/** A server on the same machine that has not answered by then is not there, or too busy to be chosen. */
const PATIENCE_MS = 2000;

/**
 * The models of the servers that answer, told server by server as they do; a server that is not there is no error.
 * Nothing but their list of models is asked for, without a key.
 */
export async function findLocalModels(
  servers: readonly ModelServer[],
  onFound: (models: LocalModel[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { listOpenAiModels } = await import('#research');
  const stop = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  await Promise.all(
    servers.map(async (server) => {
      const listed = await listOpenAiModels({ baseUrl: server.baseUrl, apiKey: async () => undefined }, stop).catch(
        () => [], // not running, or something else listens there
      );
      if (listed.length > 0 && !signal.aborted) onFound(listed.map((model) => ({ server, ...model })));
    }),
  );
}
