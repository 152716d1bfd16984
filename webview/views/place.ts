import { html, type TemplateResult } from 'lit';

/**
 * A file and a line of it. Whatever script the path is in, the line stands behind it, and neither moves among the words
 * around.
 */
export function placeView(path: string, line: number | string): TemplateResult {
  return html`<bdi dir="ltr"><bdi>${path}</bdi>:${line}</bdi>`;
}

/** A place that can be clicked; only the file's own name is shown, its whole path is told on pointing at it. */
export function sourceLink(path: string, line: number, open: (event: MouseEvent) => void): TemplateResult {
  return html`<button class="source-link" type="button" title=${`${path}:${line}`} @click=${open}>
    ${placeView(path.split('/').at(-1) ?? path, line)}
  </button>`;
}
