import { type Answer, citedBy, leadInWords, translateSaid } from '#protocol';
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
  if (answer) {
    markUnsupported(element, answer.statements, (statement) =>
      statement.problem
        ? t('Not supported by the cited passages: {0}', translateSaid(statement.problem, t))
        : t('Not supported by the cited passages'),
    );
  }
  return element;
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
  if (lead) return leadInWords(answer, t);
  if (abstained || short === '' || !text.startsWith(`**${short}**`)) return undefined;
  return text.split('\n')[0];
}

/** Streamed marks are links only once the citations are known: code, not the model, writes links. */
function citationLabel(number: number, answer: Answer | undefined): string | undefined {
  const cited = answer && citedBy(answer, number);
  return cited && t('Source {0}: {1}, line {2}', number, cited.passage.path, cited.citation.startLine);
}
