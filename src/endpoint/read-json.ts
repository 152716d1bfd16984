import { ReplyTooLongError } from './endpoint-fetch.ts';

/** Deepest nesting that is parsed: the engine takes a second for four megabytes of brackets, during which nothing else runs. */
const DEEPEST = 200;

/**
 * The JSON of a reply's body. It is parsed at once and may therefore be no longer than `mostBytes`.
 * @throws ReplyTooLongError naming `host`; SyntaxError for what is no JSON, or is nested deeper than any reply
 */
export async function readJson(response: Response, host: string, mostBytes: number): Promise<unknown> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > mostBytes) {
      void reader?.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
      throw new ReplyTooLongError(host, mostBytes);
    }
    text += decoder.decode(next.value, { stream: true });
  }
  text += decoder.decode();
  if (depthOf(text) > DEEPEST) throw new SyntaxError('The reply is nested too deeply.');
  return JSON.parse(text) as unknown;
}

/** How many brackets are open at once, outside of strings; counting stops where there are too many. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length && deepest <= DEEPEST; at += 1) {
    const char = json.charCodeAt(at);
    if (inString) {
      if (char === 92) at += 1; // a backslash: the next character is a part of the string
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) deepest = Math.max(deepest, (depth += 1));
    else if (char === 93 || char === 125) depth -= 1;
  }
  return deepest;
}
