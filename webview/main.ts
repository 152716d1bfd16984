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

const translations = document.body.dataset['translations'];
if (translations) useTranslations(JSON.parse(translations) as Record<string, string>);

const editor = acquireVsCodeApi();
if (document.body.dataset['place'] === 'learning') {
  const root = document.createElement('main');
  root.className = 'scroll learning';
  root.tabIndex = -1;
  document.body.append(root);
  const post = (message: FromLearningPage): void => editor.postMessage(message);
  // Messages that are not known change nothing.
  window.addEventListener('message', ({ data }: MessageEvent<ToLearningPage>) => {
    if (data.type === 'learning') render(learningView(data.report, post), root);
  });
  post({ type: 'ready' });
} else {
  const panel = new Panel(editor);
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => panel.receive(event.data));
  panel.start();
}
