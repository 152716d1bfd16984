import { html, nothing, render } from 'lit';
import { drawLines, fromWhatMatters } from './passage/draw-lines.ts';
import type { HoverContent } from './panel-context.ts';
import { passageLines, placeView } from './views/passages.ts';
import { t } from './strings.ts';

const DELAY_MS = 500;
const MOST_LINES = 24;

/** More of a passage beside the pointer, like the editor's hover. What it shows, "Show more" gives to the keyboard. */
export class PassageHover {
  readonly #element = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#element.className = 'hover';
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.hidden = true;
    document.body.append(this.#element);
    window.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
    window.addEventListener('keydown', () => this.hide(), { capture: true });
  }

  show(target: HTMLElement, content: HoverContent): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(target, content), DELAY_MS);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#element.hidden = true;
  }

  #open(target: HTMLElement, { passage, marks, cited }: HoverContent): void {
    if (!target.isConnected) return;
    const drawn = drawLines(passage.text, passage.language, passage.startLine, marks);
    const lines = fromWhatMatters(drawn, cited ? [cited] : []);
    const rest = lines.length - MOST_LINES;
    render(
      html`<div class="hover-title">
          ${placeView(passage.path, cited?.startLine ?? `${passage.startLine}–${passage.endLine}`)}
        </div>
        ${passageLines(lines.slice(0, MOST_LINES), passage.language)}
        ${rest > 0 ? html`<div class="quiet">${rest === 1 ? t('1 more line') : t('{0} more lines', rest)}</div>` : nothing}`,
      this.#element,
    );
    this.#element.hidden = false;
    const around = target.getBoundingClientRect();
    const own = this.#element.getBoundingClientRect();
    const below = around.bottom + 4;
    const top = below + own.height <= window.innerHeight ? below : Math.max(4, around.top - own.height - 4);
    this.#element.style.top = `${top}px`;
    this.#element.style.left = `${Math.max(4, Math.min(around.left, window.innerWidth - own.width - 4))}px`;
  }
}
