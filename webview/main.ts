import '@vscode/codicons/dist/codicon.css';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import './panel.css';
import type { ToWebview } from '#protocol';
import { Panel } from './panel.ts';
import { useTranslations } from './strings.ts';

const translations = document.body.dataset['translations'];
if (translations) useTranslations(JSON.parse(translations) as Record<string, string>);

const panel = new Panel(acquireVsCodeApi());
window.addEventListener('message', (event: MessageEvent<ToWebview>) => panel.receive(event.data));
panel.start();
