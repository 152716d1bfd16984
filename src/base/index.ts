/** What this room offers to the others. */
export {
  abortError,
  isAbortError,
  throwIfAborted,
  throwIfCancelled,
  unlessAborted,
  startDeadline,
  systemClock,
  timerClock,
  type Clock,
  type Deadline,
  type TimerClock,
  OneAtATime,
  SerialQueue,
  lazy,
  defaultRetryPolicy,
  retryAfter,
  withRetry,
  yieldToOthers,
  type Failure,
  type RetryPolicy,
} from './waiting.ts';
export { isLoopback, readAddress, shownAddress, urlBelow } from './endpoint-address.ts';
export { ProxyFailure, type ProxySettings } from './proxied-fetch.ts';
export { RedirectedError, endpointFetch, parseJson, readJson } from './endpoint-fetch.ts';
export { HoptrailError, errorActions, reportError, type ErrorReport } from './errors.ts';
export { jsonLines, parsedJson, readJsonLines, type DamagedLine } from './json-lines.ts';
export { countInput, optionalInput } from './lenient-input.ts';
export { fileOnDisk, jsonOnDisk, turnsOnDisk, type JsonFile, type LineFile } from './line-file.ts';
export { HeldLock, type Lease, type LockOptions } from './held-lock.ts';
export { lifeOf, lockOwnerIn, ownerHere, readLockOwner, type LockOwner } from './lock-file.ts';
export { hashOf, hashOfParts, hashShare } from './hashing.ts';
export { addTo, remembered } from './maps.ts';
export { cacheFolder, isRemote, localPath, makeFolder, replaceFile, withoutTrailingSlashes } from './paths.ts';
export {
  baseName,
  folderOf,
  cutTo,
  escapedJson,
  lowerInPlace,
  shortened,
  stemOf,
  withoutControls,
  expression,
  wordList,
  wordSet,
} from './plain-text.ts';
export { seededRandom, shuffled, slicesOf, sum, mean, sigmoid, cosine, meanOfTokens, normalise } from './numbers.ts';
export { redact, redactError, rememberSecret, rememberSecretsOf, withoutSecrets } from './redact.ts';
