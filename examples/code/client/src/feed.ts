import { decodeFrames, type Frame } from './frame.mjs'

/** Seconds between two questions to the service while it answers. */
export const POLL_SECONDS = 15

/** Seconds to wait after one, two, three and more failures. */
export const BACKOFF_SECONDS: readonly number[] = [15, 30, 60, 120]

/** The service did not answer, or answered something else than frames. */
export class FeedError extends Error {
  constructor(url: URL, options: { readonly status?: number; readonly cause?: unknown }) {
    const reason = options.status === undefined ? 'is not answering; is the service running?' : `answered ${options.status}`
    super(`${url.origin} ${reason}`, { cause: options.cause })
    this.name = 'FeedError'
  }
}

/** Frames with a number above `after`, through the service's `/frames`. */
export async function fetchFrames(base: string, after: number, signal?: AbortSignal): Promise<Frame[]> {
  const url = new URL(`/frames?after=${after}`, base)
  let response: Response
  try {
    response = await fetch(url, signal === undefined ? {} : { signal })
  } catch (cause) {
    throw new FeedError(url, { cause })
  }
  if (!response.ok) throw new FeedError(url, { status: response.status })
  return decodeFrames(await response.text())
}

/** How long to wait before the next question, after `failures` failures in a row. */
export function waitSeconds(failures: number): number {
  if (failures === 0) return POLL_SECONDS
  return BACKOFF_SECONDS[Math.min(failures, BACKOFF_SECONDS.length) - 1] ?? POLL_SECONDS
}
