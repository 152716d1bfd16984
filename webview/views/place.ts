import { html, type TemplateResult } from 'lit';

/**
 * A file and a line of it. Whatever script the path is in, the line stands behind it, and neither moves among the words
 * around.
 */
export function placeView(path: string, line: number | string): TemplateResult {
  return html`<bdi dir="ltr"><bdi>${path}</bdi>:${line}</bdi>`;
}
