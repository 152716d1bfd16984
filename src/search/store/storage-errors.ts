import { HoptrailError, expression } from '#base';
import { describeHolder, type LeaseHolder } from '../domain/index-state.ts';

/**
 * Files of the index were truncated or altered, so that it cannot be read any more. The process that writes the index
 * checks whether that is so, sets the index aside and builds it again.
 */
export class IndexDamagedError extends HoptrailError {
  readonly code = 'index-damaged';
  constructor(detail: string, cause?: unknown) {
    super(`The index is damaged: ${detail}`, {
      cause,
      advice: 'If it does not come back by itself, rebuild it (hoptrail index --rebuild).',
      action: 'rebuild-index',
    });
  }
}

/** Something of the index could not be read or written as it should, and nothing was rebuilt. */
export class UnconfirmedDamageError extends HoptrailError {
  readonly code = 'index-failing';
  /** @param again It was set aside and built again before, and fails all the same. */
  constructor(cause: IndexDamagedError, again: boolean) {
    super(
      `${again ? 'The index was set aside and built again, and still fails' : 'The index fails, although all that it holds can be read'}: ${cause.message}`,
      {
        cause,
        advice: 'Try again. If it goes on, rebuild it (hoptrail index --rebuild), or let it lie on another disk.',
        action: 'rebuild-index',
      },
    );
  }
}

/** No space left where the index lies. */
export class DiskFullError extends HoptrailError {
  readonly code = 'disk-full';
  constructor(what: string, cause?: unknown) {
    super(`No space is left on the disk that holds the index (${what}).`, {
      cause,
      advice:
        'Free some space or move the index (hoptrail.index.uri), then try again. What was indexed so far can ' +
        'be searched.',
      action: 'retry',
    });
  }
}

/** The place of the index may not be written to. */
export class StorageReadOnlyError extends HoptrailError {
  readonly code = 'storage-read-only';
  /** What could not be done there. */
  readonly what: string;
  constructor(what: string, cause?: unknown) {
    super(`The index cannot be written (${what}): its folder is read-only or belongs to somebody else.`, {
      cause,
      advice: 'Allow writing there, or choose another place (hoptrail.index.uri).',
      action: 'open-settings',
    });
    this.what = what;
  }
}

/** Where the index should lie no folder can be: a file stands there, or the file system makes none. */
export class IndexPlaceError extends HoptrailError {
  readonly code = 'index-place';
  constructor(cause: unknown) {
    super(`No index can lie there: ${messageOf(cause)}`, {
      cause,
      advice: 'Name a folder, or a place where one can be made (hoptrail.index.uri, --index).',
      action: 'open-settings',
    });
  }
}

const REMOTE_TROUBLES = {
  'storage-refused': {
    says: 'refuses the key',
    advice:
      'Keys come from the environment in which the editor or the command was started: AWS_ACCESS_KEY_ID and ' +
      'AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (docs/remote-index.md).',
  },
  'storage-missing': {
    says: 'has no such bucket',
    advice: 'Make the bucket, or correct the address (hoptrail.index.uri, --index).',
  },
  'storage-unreachable': {
    says: 'cannot be reached',
    advice: 'See whether this machine is online, and whether AWS_ENDPOINT and the proxy are right. Then try again.',
  },
} as const;

/** An object store or a LanceDB server does not let the index be read or written; nothing is damaged by that. */
class RemoteStorageError extends HoptrailError {
  readonly code: keyof typeof REMOTE_TROUBLES;
  constructor(code: keyof typeof REMOTE_TROUBLES, what: string, cause: unknown) {
    const { says, advice } = REMOTE_TROUBLES[code];
    super(`The remote storage of the index ${says} (${what}).`, { cause, advice, action: 'retry' });
    this.code = code;
  }
}

/** Any other failure of the storage. */
class StorageError extends HoptrailError {
  readonly code = 'storage-failed';
  constructor(what: string, cause: unknown) {
    super(`The index could not ${what}: ${messageOf(cause)}`, { cause, action: 'show-log' });
  }
}

/** A write was asked of a process that may only read the index. */
export class NotTheWriterError extends HoptrailError {
  readonly code = 'index-not-writable';
  /** @param heldBy The process that writes; undefined where that is not known. */
  constructor(heldBy?: LeaseHolder) {
    super(`Another process writes this index; here it is only read.${heldBy ? ` ${describeHolder(heldBy)}` : ''}`, {
      advice: 'Ask there. In object storage, --take-over says that this machine writes from now on.',
    });
  }
}

/** Another process holds the index, and it cannot be used together with that. */
export class IndexHeldError extends HoptrailError {
  readonly code = 'index-held';
  /** @param why What is known of that process. @param heldBy Undefined where its lock does not name it. */
  constructor(why: string, heldBy?: LeaseHolder) {
    super(`Another process has this index open${why}.${heldBy ? ` ${describeHolder(heldBy)}` : ''}`, {
      advice:
        heldBy?.pid === undefined
          ? 'Try again in a minute, or let the index lie in another place (hoptrail.index.uri, --index).'
          : `Close Hoptrail there, or end process ${heldBy.pid} on ${heldBy.host}. Then try again.`,
      action: 'retry',
    });
  }
}

/**
 * The index that lies there holds the passages of other folders: it neither answers for these nor is written over
 * unasked.
 */
export class OtherRootsError extends HoptrailError {
  readonly code = 'index-other-roots';
  /**
   * @param madeFor Paths of the folders that the index holds; none for imported passages. @param wanted Paths of the
   *   folders that are open.
   */
  constructor(madeFor: readonly string[], wanted: readonly string[]) {
    super(`This index was made for ${folders(madeFor)}, not for ${folders(wanted)}.`, {
      advice:
        'Let the index lie in another place (hoptrail.index.uri, --index), or rebuild it (hoptrail index ' +
        '--rebuild): then what it holds now goes, but for the vectors of texts that stayed the same.',
      action: 'rebuild-index',
    });
  }
}

/** The index was made with another embedding model, by a machine that writes it. It is searched by words only. */
export class OtherEmbedderError extends HoptrailError {
  readonly code = 'index-other-embedder';
  /** @param embedderId The model that the index was opened with. */
  constructor(embedderId: string) {
    super(
      `The index was made with another embedding model than ${embedderId}. Here it is searched by its words only.`,
      { advice: 'Choose the model that it was made with (hoptrail.embedder.*).', action: 'open-settings' },
    );
  }
}

/** Also a quota (EDQUOT) and a largest size of a file (EFBIG): os errors 28, 122 and 27, on Windows 112 and 39. */
const DISK_FULL = expression('i')`
  ENOSPC|EDQUOT|EFBIG|no space left|not enough space|disk quota exceeded|file too large|os error (?:28|122|27|112|39)\b
`;
const NO_FOLDER = /EEXIST|ENOTDIR/;
const READ_ONLY = expression('i')`
  EROFS|EACCES|EPERM|read-only file system|permission denied|operation not permitted|access is denied|
  write.protected
`;
/** What the clients of object stores and servers say, wherever in a message it stands. */
const REMOTE = expression('')`
  Generic (?:S3|GCS|MicrosoftAzure)|store: "|RetryError|reqwest|error sending request|Error performing|
  valid authentication|necessary privileges
`;
const REMOTE_SIGNS: readonly [code: keyof typeof REMOTE_TROUBLES, sign: RegExp][] = [
  ['storage-missing', /NoSuchBucket|ContainerNotFound|bucket does not exist/i],
  [
    'storage-refused',
    expression('i')`
      InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|AuthenticationFailed|ExpiredToken|InvalidToken|
      status: 40[13]|status 40[13]|credential|valid authentication|necessary privileges|169\.254\.169\.254
    `,
  ],
  [
    'storage-unreachable',
    /connect error|ConnectError|dns error|timed? ?out|HttpError|HTTP error|error sending request/i,
  ],
];
/** Failures that say nothing about the files themselves: networks, rights, and a machine at its limits. */
const PASSING = expression('i')`
  timed? ?out|timeout|connection|dns|http|credential|unauthorized|forbidden|too many open files|out of memory|
  cannot allocate|conflict|closed
`;
/** LanceDB's and Arrow's own errors: files that are missing, cut short or overwritten show as any of them. */
const FROM_FILES = /lance|arrow|parquet|not found|no such file|corrupt|invalid|eof|decode|panic|external error/i;

/** Names a failure of LanceDB or the file system; errors of our own pass through. */
export function storageError(error: unknown, what: string): Error {
  if (error instanceof HoptrailError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  const message = messageOf(error);
  if (REMOTE.test(message)) {
    const found = REMOTE_SIGNS.find(([, sign]) => sign.test(message));
    if (found) return new RemoteStorageError(found[0], what, error);
  }
  if (DISK_FULL.test(message)) return new DiskFullError(what, error);
  if (NO_FOLDER.test(message)) return new IndexPlaceError(error);
  if (READ_ONLY.test(message)) return new StorageReadOnlyError(what, error);
  if ((FROM_FILES.test(message) || saysThatATableIsMissing(message)) && !PASSING.test(message))
    return new IndexDamagedError(`it could not ${what} (${firstLine(message)})`, error);
  return new StorageError(what, error);
}

function saysThatATableIsMissing(message: string): boolean {
  const at = message.toLowerCase().indexOf('table ');
  return at >= 0 && message.toLowerCase().includes(' does not exist', at);
}

/** Runs a storage operation; `what` completes "the index could not …". */
export async function stored<T>(what: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storageError(error, what);
  }
}

function folders(paths: readonly string[]): string {
  return paths.length === 0 ? 'imported passages' : paths.join(', ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
