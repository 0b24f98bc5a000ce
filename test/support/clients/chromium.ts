import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function installed(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH;
  for (const name of NAMES) {
    const path = Bun.which(name);
    if (path) return path;
  }
  return null;
}

const INSTALL = `command -v chromium ||
  (apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium)`;

/** On a fresh CI machine we are root of a Debian; anybody else's machine is left alone. */
function installFromDebian(): void {
  const flock = Bun.which('flock');
  if (process.getuid?.() !== 0 || !flock || process.env.CHROMIUM_INSTALL === '0') return;
  // Several test files may find at once that there is none.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(flock, [import.meta.dir, 'sh', '-c', INSTALL], { env, timeout: 300_000 });
}

/** For each thing that a test waits for: Playwright's 30 seconds are too few where much else runs. */
const PATIENCE_MS = 3 * 60_000;

/**
 * A headless Chromium, or null after saying why the tests do not run.
 * `hosts` are names that lead to this machine over plain http.
 */
export async function launchChromium(hosts: string[] = []): Promise<Browser | null> {
  if (!installed()) installFromDebian();
  const executablePath = installed();
  if (!executablePath) {
    console.log('not run: no Chromium here (CHROMIUM_PATH, or apt-get install chromium)');
    return null;
  }
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',');
  const browser = await chromium.launch({
    executablePath,
    // Without a GPU it would draw by a GPU's emulation, which costs more than drawing at once.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=${rules}`,
    ],
    timeout: PATIENCE_MS,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
