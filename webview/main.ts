import '@vscode/codicons/dist/codicon.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import './panel.css';
import type { ToLearningPage, ToWebview } from '#protocol';
import { LearningPage } from './learning/learning-page.ts';
import { Panel } from './panel.ts';
import { useTranslations } from './strings.ts';

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
