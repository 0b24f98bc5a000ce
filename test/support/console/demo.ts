import { afterAll } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startListener } from '../../../src/demo/listener.ts';
import { makeDemo } from '../../../src/demo/run.ts';
import { startListening } from '../listening.ts';
import { startTestQueries } from '../queries.ts';
import { testTemporal } from '../temporal.ts';
import { startTestWorker } from '../worker.ts';
import { type Visit, visit } from './visit.ts';

/** A service with the data of the demo, and its owner signed in in front of the console. */
export async function visitDemo(browser: Browser, people: number) {
  const temporal = await testTemporal();
  const listener = startListener(() => {});
  afterAll(() => listener.stop());
  const env = { STORE_API_URL: 'http://127.0.0.1:1', EGRESS_ALLOW: listener.address };
  const { service, url } = await startListening(env, temporal);
  const { deps } = service;
  await startTestWorker(deps, temporal);
  await startTestQueries(deps);
  const made = { people, seed: 3 };
  const { owner, apps } = await makeDemo(deps, url, made, listener, () => {});
  const visitor: Visit = await visit(browser, url);
  const { page, go } = visitor;
  await go('/');
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Focus Timer' }).first().waitFor();
  return { visitor, service, owner, apps };
}
