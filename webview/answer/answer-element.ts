import { type Answer, citedBy } from '#protocol';
import { t } from '../strings.ts';
import { linkCitations, markUnsupported } from './citation-marks.ts';
import { renderMarkdown } from './markdown.ts';

/** The rendered text of an answer: streamed text as it is, a checked answer with what leads it, its links and marks. */
export function answerElement(text: string, answer: Answer | undefined): HTMLElement {
  const element = document.createElement('div');
  element.className = 'answer-text';
  const lead = answer && leadText(answer);
  if (lead !== undefined && text.startsWith(lead)) {
    const large = document.createElement('div');
    large.className = answer?.lead?.kind === 'quotes' ? 'lead quoted' : 'lead said';
    large.append(rendered(lead, answer));
    element.append(large, rendered(text.slice(lead.length), answer));
  } else element.append(rendered(text, answer));
  if (answer?.by === 'extractive') foldQuotes(element);
  if (answer)
    markUnsupported(element, answer.statements, ({ problem }) =>
      problem ? t('Not supported by its sources: {0}', problem) : t('Not supported by its sources'),
    );
  return element;
}

/** Quotes beside the one that leads; further ones are a click away. */
const MOST_QUOTES = 2;

function foldQuotes(element: HTMLElement): void {
  const isQuote = (child: Element): boolean => child.matches('blockquote, pre, .table-scroll');
  const children = [...element.children];
  const third = children.filter(isQuote)[MOST_QUOTES];
  if (!third) return;
  const rest = children.slice(children.indexOf(third));
  const more = document.createElement('details');
  more.className = 'more-quotes';
  const summary = document.createElement('summary');
  const quotes = rest.filter(isQuote).length;
  summary.textContent = quotes === 1 ? t('1 more quote') : t('{0} more quotes', quotes);
  more.append(summary, ...rest);
  element.append(more);
}

/**
 * Makes a text that is shown into the next one, and leaves alone what is the same in both: what is selected there,
 * scrolled or has the keyboard.
 */
export function growInto(shown: Node, next: Node): void {
  const old = [...shown.childNodes];
  const fresh = [...next.childNodes];
  let same = 0;
  while (same < fresh.length && old[same]?.isEqualNode(fresh[same] ?? null)) same++;
  const [grown, into] = [old[same], fresh[same]];
  if (grown instanceof Element && into instanceof Element && grown.cloneNode().isEqualNode(into.cloneNode())) {
    growInto(grown, into);
    same++;
  }
  for (const node of old.slice(same)) node.remove();
  for (const node of fresh.slice(same)) shown.appendChild(node);
}

function rendered(text: string, answer: Answer | undefined): DocumentFragment {
  const content = renderMarkdown(text);
  linkCitations(content, (number) => citationLabel(number, answer));
  return content;
}

/** What stands large; of a model's answer its first line, where that is the short answer. */
function leadText(answer: Answer): string | undefined {
  const { lead, text, short, abstained } = answer;
  if (lead) return lead.text;
  if (abstained || short === '' || !text.startsWith(`**${short}**`)) return undefined;
  return text.split('\n')[0];
}

/** Streamed marks are links only once the citations are known: code, not the model, writes links. */
function citationLabel(number: number, answer: Answer | undefined): string | undefined {
  const cited = answer && citedBy(answer, number);
  return cited && t('Source {0}: {1}, line {2}', number, cited.passage.path, cited.citation.startLine);
}
