import { decodedPart, rememberSecretsOf } from './redact.ts';
import { withoutTrailingSlashes } from './paths.ts';

/** The address of an endpoint, taken apart. */
interface EndpointAddress {
  /** Without credentials, query and trailing slashes. */
  base: string;
  host: string;
  /** Goes behind every path, as `?api-version=…` does; '' where there is none. */
  query: string;
  /** `Basic …`, where the address holds a user and a password: fetch takes no address that has them. */
  authorization?: string;
}

/** @throws TypeError where it is no address in full */
export function readAddress(address: string): EndpointAddress {
  rememberSecretsOf(address);
  const url = new URL(address.trim());
  const { username, password, search: query, host } = url;
  const credentials = `${decodedPart(username)}:${decodedPart(password)}`;
  return {
    base: withoutTrailingSlashes(`${url.origin}${url.pathname}`),
    host,
    query,
    ...(credentials !== ':' && { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
  };
}

/** A path below an address, with the address's query. */
export const urlBelow = ({ base, query }: EndpointAddress, path: string): string => `${base}${path}${query}`;

/** The address without what is secret in it: credentials and query. */
export function shownAddress(address: string): string {
  const { base } = readAddress(address);
  return base;
}

/** Names and numbers of this machine: text sent there does not leave it. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/i.test(hostname);
