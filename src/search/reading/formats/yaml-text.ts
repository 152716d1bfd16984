/** Deeper flow collections, or lists opened on one line, cost the library quadratic time or its stack. */
const DEEPEST_FLOW = 64;
const MOST_INDICATORS = 64;
const TEMPLATES = [
  { start: '{{', end: '}}' },
  { start: '{%', end: '%}' },
];

/**
 * The lines with the expressions of templates (Helm, Jinja, Ansible) put out of the way, every column kept: as a
 * comment where nothing else is on the line, as a word where something is.
 */
export function withoutTemplates(lines: readonly string[]): string[] {
  return lines.map((line) => (line.includes('{{') || line.includes('{%') ? withoutExpressions(line) : line));
}

function withoutExpressions(line: string): string {
  let plain = '';
  let kept = 0;
  let covered = 0;
  for (let at = line.indexOf('{'); at >= 0; at = line.indexOf('{', Math.max(at + 1, kept))) {
    const template = TEMPLATES.find(({ start }) => line.startsWith(start, at));
    const closing = template ? line.indexOf(template.end, at + 2) : -1;
    if (template && closing < 0) break;
    if (!template) continue;
    const end = closing + template.end.length;
    plain += line.slice(kept, at) + 'x'.repeat(end - at);
    kept = end;
    covered += end - at;
  }
  plain += line.slice(kept);
  if (covered === 0 || covered < line.trim().length) return plain;
  const indent = line.length - line.trimStart().length;
  return `${line.slice(0, indent)}#${plain.slice(indent + 1)}`;
}

/**
 * True when no line opens so many lists and keys, and no value so many brackets, that the library would take long over
 * it.
 */
export function isWithinNesting(text: string): boolean {
  let depth = 0;
  let indicators = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 10:
        indicators = 0;
        break;
      case 91:
      case 123:
        depth += 1;
        break; // [ {
      case 93:
      case 125:
        depth = Math.max(0, depth - 1);
        break; // ] }
      case 45:
      case 63:
      case 58:
        indicators += isIndicatorEnd(text.charCodeAt(at + 1)) ? 1 : 0;
        break; // - ? :
    }
    if (depth > DEEPEST_FLOW || indicators > MOST_INDICATORS) return false;
  }
  return true;
}

const isIndicatorEnd = (code: number): boolean => Number.isNaN(code) || code === 32 || code === 10 || code === 9;
