/** A citation mark of an answer's text. */
interface CitationMark {
  number: number;
  /** As written: `[2]`. */
  text: string;
}

/** Fenced blocks and code spans, in which a number in brackets is code (`argv[1]`); else a mark. */
const CODE_OR_MARK = /`{3,}[^]*?(?:`{3,}|$)|~{3,}[^]*?(?:~{3,}|$)|`[^`\n]*`|\[(\d{1,3})\]/g;

/** Cuts an answer's Markdown at its `[n]` marks. Code stays text. */
export function splitAtMarks(markdown: string): (string | CitationMark)[] {
  const parts: (string | CitationMark)[] = [];
  let end = 0;
  for (const match of markdown.matchAll(CODE_OR_MARK)) {
    if (match[1] === undefined) continue;
    if (match.index > end) parts.push(markdown.slice(end, match.index));
    parts.push({ number: Number(match[1]), text: match[0] });
    end = match.index + match[0].length;
  }
  return end < markdown.length ? [...parts, markdown.slice(end)] : parts;
}
