import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The access key that the server knows. */
const ACCESS_KEY = 'test-key';

interface StoredObject {
  body: Buffer;
  etag: string;
  modified: Date;
}

interface Reply {
  status: number;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
}

/** A server on a free port of this machine. */
interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** What LanceDB has to be told of a server that is reached there. */
export const storageOptions = (url: string, accessKey = ACCESS_KEY): Record<string, string> => ({
  endpoint: url,
  aws_access_key_id: accessKey,
  aws_secret_access_key: 'secret',
  aws_region: 'us-east-1',
  allow_http: 'true',
});

/**
 * An object store with the bucket `bucket`. With S3_ENDPOINT it is the server at that address instead, which has to
 * have that bucket already.
 */
export async function startObjectStore(): Promise<Running> {
  const { S3_ENDPOINT: foreign } = process.env;
  return foreign === undefined ? startInMemory('bucket') : { url: foreign, close: () => Promise.resolve() };
}

/**
 * An object store in memory that speaks S3 as far as LanceDB does: one bucket, addressed by path; objects read whole or
 * in part, written at once or in parts, on condition that they are new (`If-None-Match: *`) or unchanged (`If-Match`);
 * lists in pages; deletes one by one and by list. Signatures are not checked, access keys are.
 */
async function startInMemory(bucket: string): Promise<Running> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Buffer>>();
  return running(
    createServer((incoming, outgoing) => {
      void bodyOf(incoming).then((body) => {
        const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://server');
        const [place = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
        const named = incoming.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`);
        const reply = !named
          ? failed(403, 'InvalidAccessKeyId')
          : place !== bucket
            ? failed(404, 'NoSuchBucket')
            : answer({ incoming, key: rest.join('/'), query: searchParams, body, objects, uploads });
        send(outgoing, incoming.method === 'HEAD' ? { ...reply, body: undefined } : reply);
      });
    }),
  );
}

interface Asked {
  incoming: IncomingMessage;
  key: string;
  query: URLSearchParams;
  body: Buffer;
  objects: Map<string, StoredObject>;
  uploads: Map<string, Map<number, Buffer>>;
}

function answer(asked: Asked): Reply {
  const { incoming, key, query, body, objects, uploads } = asked;
  const upload = query.get('uploadId') ?? '';
  switch (incoming.method) {
    case 'GET':
    case 'HEAD':
      return key === '' ? list(asked) : read(asked);
    case 'PUT': {
      if (query.has('partNumber')) {
        uploads.get(upload)?.set(Number(query.get('partNumber')), body);
        return { status: 200, headers: { etag: etagOf(body) } };
      }
      const source = incoming.headers['x-amz-copy-source'];
      if (typeof source !== 'string') return write(asked, body);
      const copied = objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
      if (!copied) return failed(404, 'NoSuchKey');
      write(asked, copied.body);
      return xml(`<CopyObjectResult><ETag>${copied.etag}</ETag></CopyObjectResult>`);
    }
    case 'POST': {
      if (query.has('uploads')) {
        const id = randomUUID();
        uploads.set(id, new Map());
        return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      }
      if (query.has('delete')) {
        const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, encoded = '']) => encoded);
        for (const encoded of keys) objects.delete(plain(encoded));
        const gone = keys.map((encoded) => `<Deleted><Key>${encoded}</Key></Deleted>`).join('');
        return xml(`<DeleteResult>${gone}</DeleteResult>`);
      }
      const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      const written = write(asked, Buffer.concat(parts));
      if (written.status !== 200) return written;
      uploads.delete(upload);
      return xml(
        `<CompleteMultipartUploadResult><ETag>${String(written.headers?.etag)}</ETag></CompleteMultipartUploadResult>`,
      );
    }
    case 'DELETE':
      if (upload === '') objects.delete(key);
      else uploads.delete(upload);
      return { status: 204 };
    default:
      return failed(405, 'MethodNotAllowed');
  }
}

function read({ incoming, key, objects }: Asked): Reply {
  const found = objects.get(key);
  if (!found) return failed(404, 'NoSuchKey');
  const { etag, modified, body } = found;
  const headers = { etag, 'last-modified': modified.toUTCString(), 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(incoming.headers.range ?? '') ?? [];
  if (from === '' && to === '') return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
  const start = from === '' ? Math.max(0, body.length - Number(to)) : Number(from);
  if (start >= body.length) return failed(416, 'InvalidRange');
  const end = from === '' || to === '' ? body.length : Math.min(Number(to) + 1, body.length);
  return {
    status: 206,
    headers: { ...headers, 'content-length': end - start, 'content-range': `bytes ${start}-${end - 1}/${body.length}` },
    body: body.subarray(start, end),
  };
}

function write({ incoming, key, objects }: Asked, body: Buffer): Reply {
  const before = objects.get(key);
  const { 'if-none-match': isNew, 'if-match': unchanged } = incoming.headers;
  if (isNew === '*' && before) return failed(412, 'PreconditionFailed');
  if (unchanged !== undefined && before?.etag !== unchanged) return failed(412, 'PreconditionFailed');
  const etag = etagOf(body);
  objects.set(key, { body, etag, modified: new Date() });
  return { status: 200, headers: { etag } };
}

/** ListObjectsV2, in the order of the keys' bytes. */
function list({ query, objects }: Asked): Reply {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const entries = new Map<string, StoredObject | undefined>();
  const keys = [...objects.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const key of keys.filter((one) => one.startsWith(prefix))) {
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (cut < 0) entries.set(key, objects.get(key));
    else entries.set(key.slice(0, cut + delimiter.length), undefined);
  }
  const rest = [...entries].filter(([name]) => name > after);
  const page = rest.slice(0, Number(query.get('max-keys') ?? 1000));
  const shown = page.map(([name, object]) =>
    object
      ? `<Contents><Key>${escaped(name)}</Key><LastModified>${object.modified.toISOString()}</LastModified>` +
        `<ETag>${object.etag}</ETag><Size>${object.body.length}</Size></Contents>`
      : `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`,
  );
  const more = page.length < rest.length ? page.at(-1)?.[0] : undefined;
  const next = more === undefined ? '' : `<NextContinuationToken>${escaped(more)}</NextContinuationToken>`;
  return xml(
    `<ListBucketResult><IsTruncated>${more !== undefined}</IsTruncated>${shown.join('')}${next}</ListBucketResult>`,
  );
}

/** What a request to an object store was for. */
export type RequestKind = 'read' | 'write' | 'list' | 'delete';

/**
 * A network between a program and an object store: each request is counted, and comes later by so many milliseconds.
 */
export interface Network extends Running {
  /** Since the last call. */
  counted(): Record<RequestKind, number>;
}

export async function startNetwork(target: string, milliseconds: number, port = 0): Promise<Network> {
  let counts = noRequests();
  const server = await running(
    createServer((incoming, outgoing) => {
      counts[kindOf(incoming)]++;
      setTimeout(() => {
        const { method, headers, url } = incoming;
        const onward = request(new URL(url ?? '', target), { method, headers }, (reply) => {
          outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(outgoing);
        });
        onward.on('error', () => outgoing.destroy());
        incoming.pipe(onward);
      }, milliseconds);
    }),
    port,
  );
  return {
    ...server,
    counted: () => {
      const before = counts;
      counts = noRequests();
      return before;
    },
  };
}

const noRequests = (): Record<RequestKind, number> => ({ read: 0, write: 0, list: 0, delete: 0 });

function kindOf({ method, url = '' }: IncomingMessage): RequestKind {
  if (method === 'DELETE' || url.includes('?delete')) return 'delete';
  if (method === 'PUT' || method === 'POST') return 'write';
  return url.includes('list-type=') ? 'list' : 'read';
}

async function running(server: Server, port = 0): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, { 'x-amz-request-id': randomUUID(), ...headers });
  outgoing.end(body);
}

const xml = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });

const failed = (status: number, code: string): Reply => ({
  ...xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
  status,
});

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const plain = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
