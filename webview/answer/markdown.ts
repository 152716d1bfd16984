import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { tokenise } from '../passage/tokenise.ts';

/**
 * Raw HTML is shown as text, links are not invented, images are named and never loaded. A line `[1]: …` is shown as it
 * stands: would it be read as the address of each `[1]`, no citation of that number were left.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('reference');
markdown.renderer.rules['image'] = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '');

/** The language stands at the block, for its colours: what is sanitised keeps no classes. */
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {};
  const { escapeHtml } = markdown.utils;
  return `<pre data-language="${escapeHtml(info.trim().split(/\s/)[0] ?? '')}"><code>${escapeHtml(content)}</code></pre>\n`;
};

const ALLOWED_TAGS =
  'p br strong em s code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 hr table thead tbody tr th td a'.split(' ');
const allowed = {
  ALLOWED_TAGS,
  ALLOWED_ATTR: ['href', 'start'],
  ALLOWED_URI_REGEXP: /^https?:/i,
};

/** Markdown as HTML before it is sanitised. */
function markdownToHtml(text: string): string {
  return markdown.render(text);
}

/** Markdown as safe DOM. Headings become bold lines: the panel's own outline must stay in order for screen readers. */
export function renderMarkdown(text: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(markdownToHtml(text), { ...allowed, RETURN_DOM_FRAGMENT: true });
  for (const heading of fragment.querySelectorAll('h1,h2,h3,h4,h5,h6')) {
    const line = document.createElement('p');
    line.className = 'heading';
    line.append(...heading.childNodes);
    heading.replaceWith(line);
  }
  for (const table of fragment.querySelectorAll('table')) {
    const scroller = document.createElement('div');
    scroller.className = 'table-scroll';
    scroller.tabIndex = 0;
    table.replaceWith(scroller);
    scroller.append(table);
  }
  for (const block of fragment.querySelectorAll('pre')) {
    block.tabIndex = 0;
    colour(block);
  }
  for (const link of fragment.querySelectorAll('a')) {
    if (link.hasAttribute('href')) link.title = link.href;
    else link.replaceWith(...link.childNodes); // what it pointed at was not allowed
  }
  return fragment;
}

/** Code in the colours of the passages below it; without a language it stays plain. */
function colour(block: HTMLPreElement): void {
  const code = block.querySelector('code');
  const language = block.dataset['language'] ?? '';
  if (!code || language === '') return;
  const text = code.textContent ?? '';
  const pieces: (string | Node)[] = [];
  let end = 0;
  for (const token of tokenise(text, language)) {
    const span = document.createElement('span');
    span.className = `tok-${token.kind}`;
    span.textContent = text.slice(token.start, token.end);
    pieces.push(text.slice(end, token.start), span);
    end = token.end;
  }
  code.replaceChildren(...pieces, text.slice(end));
}
