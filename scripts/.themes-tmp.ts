import { writeFileSync, mkdirSync } from 'node:fs';
import { launchBrowser } from '/work/main/scripts/vscode-host/browser.ts';
import { startServer, workbenchAddress } from '/work/main/scripts/vscode-host/server.ts';
import { Workbench } from '/work/main/scripts/vscode-host/workbench.ts';
const out: Record<string, unknown> = {};
const server = await startServer({ linked: ['/work/shared/vscode-host/example'] } as never);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(workbenchAddress(server, '/work/main/examples/notes'));
  const wb = new Workbench(page);
  await wb.ready();
  await wb.openContainer('Probe');
  let frame = await wb.webview('#t', 'Sidebar');
  for (const [key, name] of [['dark', 'Dark Modern'], ['light', 'Light Modern'], ['high-contrast', 'Dark High Contrast'], ['high-contrast-light', 'Light High Contrast']]) {
    server.writeSettings({ 'workbench.colorTheme': name });
    await page.waitForTimeout(4000);
    frame = await wb.webview('#t', 'Sidebar');
    out[key!] = await frame.locator('html').evaluate((el) => ({ style: el.getAttribute('style'), body: document.body.className, def: document.querySelector('#_defaultStyles')?.textContent, attrs: JSON.stringify({ ...document.body.dataset }) }));
    console.log(key, (out[key!] as any).body, ((out[key!] as any).style ?? '').length);
  }
  writeFileSync('/tmp/themes.json', JSON.stringify(out));
} finally { await browser.close(); await server.stop(); }
