import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Instance, startInstance } from '../instance.ts';
import { ROOT } from '../sources.ts';
import { type Visit, visit } from './visit.ts';

export type Owner = Visit & {
  instance: Instance;
  /** Opens a page and waits until all of it is there. */
  open: (path: string) => Promise<void>;
  /** Asks the API as the owner. */
  call: (method: string, path: string, body?: unknown) => Promise<unknown>;
};

type Account = { email: string; password: string };

/** An installation with one organization, whose owner is signed in to the console. */
export async function startOwner(
  browser: Browser,
  env: Record<string, string> = {},
): Promise<Owner> {
  const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '100', ...env } });
  const command = ['bootstrap', '--org', 'Acme', '--email', 'ada@example.com', '--json'];
  const made = Bun.spawnSync([process.execPath, join(ROOT, 'src/admin/main.ts'), ...command], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: instance.dataDir },
  });
  const { email, password }: Account = JSON.parse(made.stdout.toString());
  const { origin } = new URL(instance.url);
  const visitor = await visit(browser, origin);
  const call: Owner['call'] = async (method, path, data) => {
    const answer = await visitor.page.request.fetch(`${origin}${path}`, {
      method,
      headers: { origin },
      ...(data !== undefined && { data }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.status() === 204 ? null : answer.json();
  };
  await call('POST', '/v1/auth/sign-in/email', { email, password });
  const open = async (path: string) => {
    await visitor.go(path);
    await visitor.page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  };
  return { ...visitor, instance, open, call };
}
