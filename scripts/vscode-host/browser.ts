import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from './chromium.ts';

/** Starts the headless browser, once more where it crashes at its start: seldom, it does. The caller closes it. */
export const launchBrowser = (): Promise<Browser> => launch().catch(launch);

async function launch(): Promise<Browser> {
  const { executablePath, env } = findBrowser();
  return await chromium.launch({
    executablePath,
    headless: true,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
