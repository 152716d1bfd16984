const OPENS = '<think>';
const CLOSES = '</think>';

/**
 * A reply without the thoughts that some models write down before they speak. `open`: what becomes of a thought that
 * never ends.
 */
export function withoutThoughts(reply: string, open: 'kept' | 'removed'): string {
  let spoken = '';
  let from = 0;
  for (let at = reply.indexOf(OPENS); at >= 0; at = reply.indexOf(OPENS, from)) {
    const end = reply.indexOf(CLOSES, at + OPENS.length);
    if (end < 0) return spoken + reply.slice(from, open === 'kept' ? undefined : at);
    spoken += reply.slice(from, at);
    from = end + CLOSES.length;
  }
  return spoken + reply.slice(from);
}
