import type * as vscode from 'vscode';

/** An endpoint with the model that was chosen there. */
export interface UsedEndpoint {
  baseUrl: string;
  name: string;
  /** What it takes, where its server has said so. */
  contextTokens?: number | undefined;
}

const KEY = 'usedEndpoints';
const MOST = 8;

export type UsedEndpoints = ReturnType<typeof usedEndpoints>;

/** Endpoints that worked before, the last one first. Their keys lie in the secret storage, by address. */
export const usedEndpoints = (memory: Pick<vscode.Memento, 'get' | 'update'>) => ({
  get list(): UsedEndpoint[] {
    const kept = memory.get<unknown>(KEY);
    return Array.isArray(kept) ? kept.filter(isEndpoint) : [];
  },
  async add(used: UsedEndpoint): Promise<void> {
    const others = this.list.filter((other) => other.baseUrl !== used.baseUrl || other.name !== used.name);
    await memory.update(KEY, [used, ...others].slice(0, MOST));
  },
});

function isEndpoint(value: unknown): value is UsedEndpoint {
  const { baseUrl, name, contextTokens } = (value ?? {}) as Partial<UsedEndpoint>;
  const isName = typeof baseUrl === 'string' && typeof name === 'string';
  return isName && ['number', 'undefined'].includes(typeof contextTokens);
}
