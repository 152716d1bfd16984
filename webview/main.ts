import '@vscode/codicons/dist/codicon.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import './panel.css';
import type { ToLearningPage, ToWebview, FromLearningPage } from '#protocol';
import { Panel } from './panel.ts';
import { useTranslations } from './strings.ts';
import { render } from 'lit';
import { learningView } from './views/learning.ts';

/** Shows what was learnt, each time that the extension tells it. */
class LearningPage {
  readonly #post: (message: FromLearningPage) => void;
  readonly #root = document.createElement('main');

  constructor(post: (message: FromLearningPage) => void) {
    this.#post = post;
    this.#root.className = 'scroll learning';
    this.#root.tabIndex = -1;
    document.body.append(this.#root);
  }

  start(): void {
    this.#post({ type: 'ready' });
  }

  /** Messages that are not known change nothing. */
  receive(message: ToLearningPage): void {
    if (message.type === 'learning') render(learningView(message.report, this.#post), this.#root);
  }
}

const translations = document.body.dataset['translations'];
if (translations) useTranslations(JSON.parse(translations) as Record<string, string>);

const editor = acquireVsCodeApi();
if (document.body.dataset['place'] === 'learning') {
  const page = new LearningPage((message) => editor.postMessage(message));
  window.addEventListener('message', (event: MessageEvent<ToLearningPage>) => page.receive(event.data));
  page.start();
} else {
  const panel = new Panel(editor);
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => panel.receive(event.data));
  panel.start();
}
