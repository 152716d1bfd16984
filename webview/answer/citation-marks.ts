import type { Statement } from '#protocol';

const MARK = /\[(\d{1,3})\]/g;

/** Cuts a text at its `[n]` marks: numbers are citations, strings are what stands between. */
export function splitAtCitations(text: string): (string | number)[] {
  const parts: (string | number)[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(Number(match[1]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/**
 * The text without its citation marks and Markdown signs, spaces made one: for finding a statement in rendered text.
 */
export function plainText(text: string): string {
  return text
    .replace(MARK, '')
    .replace(/[*_`>#]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
}

function textNodes(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest('code, pre, a, button')) nodes.push(node);
  }
  return nodes;
}

/** Replaces `[n]` in the rendered answer by buttons; a number without a citation stays text. */
export function linkCitations(root: ParentNode & Node, labelOf: (number: number) => string | undefined): void {
  for (const node of textNodes(root)) {
    const parts = splitAtCitations(node.data);
    if (!parts.some((part) => typeof part === 'number')) continue;
    node.replaceWith(...parts.map((part) => (typeof part === 'number' ? citationMark(part, labelOf(part)) : part)));
  }
}

function citationMark(number: number, label: string | undefined): Node {
  if (label === undefined) return document.createTextNode(`[${number}]`);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cite';
  button.dataset['cite'] = String(number);
  button.textContent = String(number);
  button.setAttribute('aria-label', label);
  button.title = label;
  return button;
}

/** Marks the statements that no cited passage supports, where the rendered text holds them. */
export function markUnsupported(
  root: ParentNode & Node,
  statements: readonly Statement[],
  title: (statement: Statement) => string,
): void {
  for (const statement of statements) {
    if (statement.support !== 'unsupported') continue;
    const wanted = plainText(statement.text);
    for (const block of root.querySelectorAll('p, li, td'))
      if (wanted !== '' && markIn(block, wanted, title(statement))) break;
  }
}

function markIn(block: Element, wanted: string, title: string): boolean {
  const nodes = textNodes(block);
  // Offsets in the squeezed text are led back to nodes, because marks and emphasis have cut the sentence into several.
  let text = '';
  const origin: { node: Text; offset: number }[] = [];
  for (const node of nodes) {
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = /\s/.test(node.data[offset] ?? '') ? ' ' : (node.data[offset] ?? '');
      if (character === ' ' && text.endsWith(' ')) continue;
      text += character;
      origin.push({ node, offset });
    }
  }
  const at = text.indexOf(wanted.replace(/[.!?]$/, ''));
  if (at < 0) return false;
  const covered = origin.slice(at, at + wanted.replace(/[.!?]$/, '').length);
  for (const node of new Set(covered.map((place) => place.node))) {
    const offsets = covered.filter((place) => place.node === node).map((place) => place.offset);
    const range = document.createRange();
    range.setStart(node, Math.min(...offsets));
    range.setEnd(node, Math.max(...offsets) + 1);
    const mark = document.createElement('span');
    mark.className = 'unsupported';
    mark.title = title;
    range.surroundContents(mark);
  }
  return true;
}
