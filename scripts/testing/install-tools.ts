// Fetches the VS Code host and the browser that tests use, once on a machine: no test's clock then runs while they are
// installed.
import { findBrowser } from '../vscode-host/chromium.ts';
import { installHost } from '../vscode-host/install.ts';

console.log(`VS Code: ${installHost().server}`);
console.log(`browser: ${findBrowser().executablePath}`);
