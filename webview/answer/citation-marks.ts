import type { Statement } from '#protocol';
import { renderMarkdown } from './markdown.ts';

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

/** The text without its citation marks and Markdown signs, spaces made one. */
export function plainText(text: string): string {
  return text
    .replace(MARK, '')
    .replace(/[*_`>#]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
}

function textNodes(root: Node, except: string): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest(except)) nodes.push(node);
  }
  return nodes;
}

/** Replaces `[n]` in the rendered answer by buttons; a number without a citation stays text. */
export function linkCitations(root: ParentNode & Node, labelOf: (number: number) => string | undefined): void {
  for (const node of textNodes(root, 'code, pre, a, button')) {
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
    const { words } = wordsIn(textNodes(renderMarkdown(statement.text.replace(MARK, '')), 'button'));
    for (const block of root.querySelectorAll('p, li, td'))
      if (words.length > 2 && markIn(block, words, title(statement))) break;
  }
}

/**
 * The words of some texts with one space before and after each, and where each character stands: a sentence is the same
 * sentence when marks, emphasis or code have cut it into several texts.
 */
function wordsIn(nodes: readonly Text[]): { words: string; origin: { node: Text; offset: number }[] } {
  let words = ' ';
  const origin: { node: Text; offset: number }[] = [];
  for (const node of nodes) {
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = /[\p{L}\p{N}]/u.exec(node.data[offset] ?? '')?.[0] ?? ' ';
      if (character === ' ' && words.endsWith(' ')) continue;
      words += character;
      origin.push({ node, offset });
    }
  }
  return { words: words.endsWith(' ') ? words : `${words} `, origin };
}

function markIn(block: Element, wanted: string, title: string): boolean {
  const { words, origin } = wordsIn(textNodes(block, 'button'));
  const at = words.indexOf(wanted);
  if (at < 0) return false;
  // The space before the first word has no place of its own.
  const covered = origin.slice(at, at + wanted.length - 2);
  let last: Element | undefined;
  for (const node of new Set(covered.map((place) => place.node))) {
    const offsets = covered.filter((place) => place.node === node).map((place) => place.offset);
    const range = document.createRange();
    range.setStart(node, Math.min(...offsets));
    range.setEnd(node, Math.max(...offsets) + 1);
    const mark = document.createElement('span');
    mark.className = 'unsupported';
    mark.title = title;
    range.surroundContents(mark);
    last = mark;
  }
  const spoken = document.createElement('span'); // a title is not read out
  spoken.className = 'visually-hidden';
  spoken.textContent = ` (${title})`;
  last?.after(spoken);
  return true;
}
