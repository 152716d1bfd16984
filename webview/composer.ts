import { html, nothing, render, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import {
  askProblem,
  completionWord,
  type CompletionWord,
  makeHistory,
  remember,
  step,
  type InputHistory,
} from './input.ts';
import { runningTurn, type PanelState, type TurnView } from './panel-state.ts';
import { t } from './strings.ts';
import { contextChips, type ChipPorts } from './views/context-chips.ts';
import { codicon } from './views/labels.ts';

/** What the composer keeps over a hidden or reloaded view. */
export interface ComposerMemory {
  draft: string;
  history: string[];
}

interface ComposerPorts extends ChipPorts {
  /** Whether it was sent. */
  ask(question: string): boolean;
  remember(memory: ComposerMemory): void;
}

type Completion = PanelState['completions']['items'][number];

/** The input: multi-line, with history, `@` completion and the scope. It never sends while an input method composes. */
export class Composer {
  readonly #root: HTMLElement;
  readonly #ports: ComposerPorts;
  readonly #input = createRef<HTMLTextAreaElement>();
  #history: InputHistory;
  #draft: string;
  #state: PanelState | undefined;
  #word: CompletionWord | undefined;
  #requestId = 0;
  #chosen = 0;

  constructor(root: HTMLElement, ports: ComposerPorts, memory: ComposerMemory) {
    this.#root = root;
    this.#ports = ports;
    this.#draft = memory.draft;
    this.#history = makeHistory(memory.history);
    window.addEventListener('resize', () => {
      if (this.#input.value) this.#fit(this.#input.value);
    });
  }

  update(state: PanelState): void {
    this.#state = state;
    this.#redraw();
    const input = this.#input.value;
    if (input && this.#draft !== '' && input.value === '') this.fill(this.#draft);
  }

  focus(): void {
    this.#input.value?.focus();
  }

  fill(text: string): void {
    const input = this.#input.value;
    if (!input) return;
    input.value = text;
    input.setSelectionRange(text.length, text.length);
    this.#changed();
  }

  /** Puts a text back, where nothing else is being typed. */
  restore(text: string): void {
    if (this.#input.value?.value === '') this.fill(text);
  }

  /** Sends what stands in the input; what is not sent stays. */
  submit(): void {
    const typed = this.#input.value?.value.trim() ?? '';
    // Of a selection it goes without saying what is asked.
    const question =
      typed === '' && this.#state?.selection ? t('What does this mean, and what is it connected to?') : typed;
    if (question === '' || !this.#ports.ask(question)) return;
    if (typed !== '') this.#history = remember(this.#history, question);
    this.fill('');
  }

  #view(state: PanelState): TemplateResult {
    const usable = state.workspace?.supported !== false && state.workspace?.name !== null;
    const items = this.#openItems();
    const problem = askProblem(this.#input.value?.value ?? '', state.scope);
    return html`<div
      class="composer ${usable ? '' : 'disabled'}"
      @keydown=${(event: KeyboardEvent) => this.#onEscape(event)}
    >
      ${
        items.length > 0
          ? html`<ul class="completions" id="completions" role="listbox" aria-label=${t('Files and symbols')}>
              ${items.map(
                (item, index) =>
                  html`<li
                    role="option"
                    id="completion-${index}"
                    tabindex="-1"
                    aria-selected=${index === this.#chosen ? 'true' : 'false'}
                    @pointerdown=${(event: Event) => {
                      event.preventDefault();
                      this.#accept(item);
                    }}
                  >
                    <span class="completion-label">${item.label}</span
                    ><span class="completion-detail">${item.detail}</span>
                  </li>`,
              )}
            </ul>`
          : nothing
      }
      ${problem === undefined ? nothing : html`<p class="problem" id="problem" role="alert">${codicon('error')}<span>${problem}</span></p>`}
      <div class="input-box">
        <textarea
          ${ref(this.#input)}
          rows="1"
          dir="auto"
          ?disabled=${!usable}
          aria-invalid=${problem === undefined ? nothing : 'true'}
          aria-describedby=${problem === undefined ? nothing : 'problem'}
          aria-label=${t('Question')}
          placeholder=${placeholderOf(state)}
          aria-autocomplete="list"
          aria-controls=${items.length > 0 ? 'completions' : nothing}
          aria-activedescendant=${items.length > 0 ? `completion-${this.#chosen}` : nothing}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
          @input=${() => this.#changed()}
          @blur=${() => this.#close()}
          @click=${() => this.#changed()}
        ></textarea>
        <div class="input-tools">
          <div class="chips">${contextChips(state, this.#ports, () => this.focus())}</div>
          <button
            class="model-button"
            type="button"
            ?disabled=${!usable}
            title=${
              state.model.name === null
                ? t('No language model: answers are quotes. Click to choose one.')
                : t('Language model: {0}', state.model.name)
            }
            @click=${() => this.#ports.post({ type: 'run-action', action: 'choose-model' })}
          >
            ${state.model.name ?? t('Quotes only')}
          </button>
          ${this.#sendButton(runningTurn(state), usable)}
        </div>
      </div>
    </div>`;
  }

  /**
   * One button that asks or stops: whoever pressed it keeps the keyboard on it. A key held down asks, and does not stop
   * again at once.
   */
  #sendButton(running: TurnView | undefined, usable: boolean): TemplateResult {
    const { title, label, icon, press } = running
      ? {
          title: t('Stop (Escape)'),
          label: t('Stop'),
          icon: 'stop-circle',
          press: () => this.#ports.post({ type: 'stop', runId: running.runId }),
        }
      : { title: t('Ask (Enter)'), label: t('Ask'), icon: 'send', press: () => this.submit() };
    return html`<button
      class="send"
      type="button"
      ?disabled=${!usable}
      title=${title}
      aria-label=${label}
      @click=${press}
      @keydown=${(event: KeyboardEvent) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      ${codicon(icon)}
    </button>`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.keyCode === 229) return; // an input method is at work: Enter belongs to it
    const input = event.currentTarget as HTMLTextAreaElement;
    if (this.#openItems().length > 0 && this.#completionKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === 'ArrowUp' && input.selectionStart === 0 && input.selectionEnd === 0) {
      this.#travel(event, 'older');
    } else if (event.key === 'ArrowDown' && input.selectionStart === input.value.length) {
      this.#travel(event, 'newer');
    }
  }

  /** Escape stops from the buttons, too; one that closed the completions has done its work. */
  #onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    const running = this.#state && runningTurn(this.#state);
    if (running) this.#ports.post({ type: 'stop', runId: running.runId });
  }

  #completionKey(event: KeyboardEvent): boolean {
    const items = this.#openItems();
    const chosen = items[this.#chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      this.#chosen = (this.#chosen + (event.key === 'ArrowDown' ? 1 : items.length - 1)) % items.length;
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) this.#accept(chosen);
    else if (event.key === 'Escape') this.#close();
    else return false;
    event.preventDefault();
    this.#redraw();
    this.#root.querySelector('.completions [aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    return true;
  }

  #travel(event: KeyboardEvent, direction: 'older' | 'newer'): void {
    const input = this.#input.value;
    const next = input && step(this.#history, direction, input.value);
    if (!next || !input) return;
    event.preventDefault();
    this.#history = next.history;
    input.value = next.text;
    const caret = direction === 'older' ? 0 : next.text.length;
    input.setSelectionRange(caret, caret);
    this.#fit(input);
    this.#redraw();
  }

  #changed(): void {
    const input = this.#input.value;
    if (!input) return;
    this.#fit(input);
    const typing = document.activeElement === input && input.selectionStart === input.selectionEnd;
    const word = typing ? completionWord(input.value, input.selectionStart) : undefined;
    if (word && word.prefix !== this.#word?.prefix) {
      this.#chosen = 0;
      this.#ports.post({ type: 'complete', requestId: ++this.#requestId, prefix: word.prefix });
    }
    this.#word = word;
    if (this.#draft === '' && input.value !== '') this.#ports.post({ type: 'typing' });
    this.#draft = input.value;
    this.#ports.remember({ draft: input.value, history: [...this.#history.entries] });
    this.#redraw();
  }

  /**
   * The chosen file joins the scope, the chosen symbol is what the question is about; its name stays in the question,
   * where a reader expects it.
   */
  #accept(item: Completion): void {
    const input = this.#input.value;
    const word = this.#word;
    if (!input || !word || !this.#state) return;
    const { scope } = this.#state;
    input.setRangeText(`${item.label} `, word.start, word.end, 'end');
    if (item.line === undefined) {
      const paths = scope.kind === 'files' ? scope.paths : [];
      this.#ports.setScope({ kind: 'files', paths: [...new Set([...paths, item.path])] });
    } else {
      const { path, line, label: text } = item;
      this.#ports.setSelection({ path, startLine: line, endLine: line, text, symbol: true });
    }
    this.#close();
    this.#changed();
  }

  #openItems(): readonly Completion[] {
    const completions = this.#state?.completions;
    return this.#word && completions?.requestId === this.#requestId ? completions.items : [];
  }

  #close(): void {
    this.#word = undefined;
    this.#redraw();
  }

  #redraw(): void {
    if (this.#state) render(this.#view(this.#state), this.#root);
  }

  #fit(input: HTMLTextAreaElement): void {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 200)}px`;
  }
}

function placeholderOf({ selection, turns }: PanelState): string {
  if (selection) return t('Ask about the selection');
  return turns.length > 0 ? t('Ask a follow-up') : t('Ask a question, @ for files');
}
