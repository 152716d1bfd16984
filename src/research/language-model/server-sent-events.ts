import { setImmediate as nextTurn } from 'node:timers/promises';

/** The last event of an OpenAI stream; nothing is read after it, even where the server leaves the connection open. */
const DONE = '[DONE]';
/** Most characters of one event: a whole reply may come as one. */
const MOST_EVENT = 2 * 1024 * 1024;
/** Milliseconds after which timers, messages and other connections get their turn, however fast the stream is. */
const TURN = 25;

/** An event of a stream was longer than any reply: there is no end of line in it. */
export class EventTooLong extends Error {}

export interface EventStream {
  /**
   * The data of each event, in order (WHATWG HTML, §9.2.6: lines of one event are joined by line breaks). Ends at
   * `[DONE]` or with the stream.
   */
  data(): AsyncGenerator<string, void>;
  /** True when `[DONE]` came: it alone tells a finished reply from a cut one where no finish_reason is sent. */
  done(): boolean;
}

/**
 * Reads a stream of server-sent events in time that grows with its length alone, however it is cut into pieces (the
 * client's own reader copies and scans what it holds once more for each event), and gives way to others meanwhile.
 * @throws EventTooLong, and what reading throws
 */
export function readEventStream(body: ReadableStream<Uint8Array>): EventStream {
  let done = false;
  return {
    data: () =>
      events(body, () => {
        done = true;
      }),
    done: () => done,
  };
}

async function* events(body: ReadableStream<Uint8Array>, onDone: () => void): AsyncGenerator<string, void> {
  let data: string[] = [];
  let length = 0;
  let turnEnds = performance.now() + TURN;
  for await (const line of lines(body)) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN;
    }
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      length = 0;
    } else if (line.startsWith('data:')) {
      const value = line.startsWith('data: ') ? line.slice(6) : line.slice(5);
      if (data.length === 0 && value.startsWith(DONE)) return onDone();
      length += value.length;
      if (length > MOST_EVENT) throw new EventTooLong();
      data.push(value);
    }
  }
}

/** Lines of a stream in UTF-8; they end at a line feed, a carriage return, or both. The last may lack its end. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open: string[] = [];
  let length = 0;
  let afterReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      let from = 0;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code !== 10 && code !== 13) continue;
        // the line feed of a pair ends nothing more
        if (code === 10 && afterReturn && at === from && length === 0) from = at + 1;
        else {
          yield open.join('') + text.slice(from, at);
          open = [];
          length = 0;
          from = at + 1;
        }
        afterReturn = code === 13;
      }
      if (from < text.length) {
        afterReturn = false;
        open.push(text.slice(from));
        length += text.length - from;
        if (length > MOST_EVENT) throw new EventTooLong();
      }
      if (done) break;
    }
    if (length > 0) yield open.join('');
  } finally {
    void reader.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
  }
}
