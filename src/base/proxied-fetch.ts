import { BlockList, isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { isLoopback } from './endpoint-address.ts';
import { rememberSecretsOf } from './redact.ts';

/** A proxy that is set elsewhere than in the environment: `http.proxy` and `http.noProxy` of VS Code. */
export interface ProxySettings {
  url: string;
  /** Hosts that are reached directly, in the forms of NO_PROXY. */
  noProxy?: readonly string[];
}

/** A request failed on its way through a proxy. */
export class ProxyFailure extends TypeError {
  /** Host and port. */
  readonly proxy: string;

  constructor(proxy: string, cause: unknown) {
    super('fetch failed', { cause });
    this.proxy = proxy;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A fetch that heeds proxies: the given one, else HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, in capitals or not, except for
 * the hosts of NO_PROXY and this machine. undefined where no proxy is set: the runtime's own fetch does.
 *
 * The library undici is loaded where a proxy is used. Its fetch must go with its agents: those of another version than
 * the runtime's do not work in the runtime's fetch.
 */
export function proxiedFetch(
  settings?: ProxySettings,
  environment: Environment = process.env,
): typeof globalThis.fetch | undefined {
  const named = (name: string): string | undefined =>
    environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined;
  const given = settings?.url.trim() || undefined;
  const proxies = {
    'http:': given ?? named('HTTP_PROXY') ?? named('ALL_PROXY'),
    'https:': given ?? named('HTTPS_PROXY') ?? named('ALL_PROXY'),
  };
  if (proxies['http:'] === undefined && proxies['https:'] === undefined) return undefined;
  const direct = directHosts([...(named('NO_PROXY') ?? '').split(/[\s,]+/), ...(settings?.noProxy ?? [])]);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const proxy = proxies[url.protocol as keyof typeof proxies];
    if (proxy === undefined || isLoopback(url.hostname) || direct(url)) return globalThis.fetch(input, init);
    return throughProxy(/^[a-z\d+]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`, url, input, init);
  };
}

async function throughProxy(
  proxy: string,
  url: URL,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  rememberSecretsOf(proxy);
  const host = URL.canParse(proxy) ? new URL(proxy).host : proxy;
  try {
    const { fetch } = await import('undici');
    // A form of the runtime's is unknown to the library: it is sent as the bytes that it stands for.
    const isPlain = typeof init?.body === 'string' || init?.body === undefined || init.body === null;
    const request = isPlain && !(input instanceof Request) ? undefined : new Request(input, init);
    const response = await fetch(url.href, {
      method: request?.method ?? init?.method ?? 'GET',
      headers: [...new Headers(request?.headers ?? init?.headers)],
      body: request ? (request.body === null ? undefined : await request.arrayBuffer()) : (init?.body as string),
      redirect: init?.redirect,
      signal: init?.signal ?? request?.signal,
      dispatcher: await agentOf(proxy),
    });
    return response as unknown as Response; // the same standard, by another class
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ProxyFailure(host, error);
  }
}

const agents = new Map<string, Promise<Dispatcher>>();

/** One agent a proxy: it keeps connections. Plain HTTP is forwarded, as curl does; HTTPS goes through a tunnel. */
function agentOf(proxy: string): Promise<Dispatcher> {
  const kept = agents.get(proxy);
  if (kept) return kept;
  const made = import('undici').then(({ ProxyAgent }) => new ProxyAgent({ uri: proxy, proxyTunnel: false }));
  agents.set(proxy, made);
  return made;
}

/** Whether a host is one of a list in the form of NO_PROXY: `*`, names with all below, addresses, ranges, ports. */
function directHosts(entries: readonly string[]): (url: URL) => boolean {
  const ranges = new BlockList();
  const names: { name: string; port: string }[] = [];
  for (const entry of entries.map((one) => one.trim().toLowerCase()).filter((one) => one !== '')) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits !== undefined && isIP(address) !== 0 && Number(bits) <= (family === 'ipv6' ? 128 : 32))
      ranges.addSubnet(address, Number(bits), family);
    else if (isIP(address) !== 0) ranges.addAddress(address, family);
    else {
      const [, name = entry, port = ''] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
      names.push({ name, port });
    }
  }
  return ({ hostname, port, protocol }) => {
    const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
    const at = port || (protocol === 'https:' ? '443' : '80');
    const family = isIP(host);
    if (family !== 0 && ranges.check(host, family === 6 ? 'ipv6' : 'ipv4')) return true;
    return names.some(
      ({ name, port: of }) => (of === '' || of === at) && (name === '*' || name === host || host.endsWith(`.${name}`)),
    );
  };
}
