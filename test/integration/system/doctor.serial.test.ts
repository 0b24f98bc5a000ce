import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import type { DoctorCheck } from '../../../src/modules/system/index.ts';
import { newDataDir, startEnvironment, startInstance } from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';

const store = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('?') });
const dataDir = newDataDir();
const port = await freePort();
let target = 'http://127.0.0.1:1';
const proxy = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url, headers }) => {
    const passed = new Headers(headers);
    passed.append('x-forwarded-for', '198.51.100.9');
    return fetch(target + new URL(url).pathname, { headers: passed });
  },
});
afterAll(() => Promise.all([store.stop(true), proxy.stop(true)]));

const env = {
  ...Object.fromEntries(
    ['STORE_API_URL', 'STORE_SERVER_API_URL', 'PLAY_STORE_API_URL', 'GOOGLE_TOKEN_URL'].map(
      (name) => [name, store.url.origin],
    ),
  ),
  PORT: String(port),
  PUBLIC_URL: proxy.url.origin,
  TRUST_PROXY: '1',
  METRICS_TOKEN: 'a-token-for-metrics-0123',
  BACKUP_TO: `file://${dataDir}-backups`,
};

/** But for folders of tests in memory. */
const named = (checks: readonly DoctorCheck[]) =>
  checks.filter(({ name, cure }) => cure !== null && name !== 'data-lasts');

async function doctor(more: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(ROOT, 'scripts/doctor.ts'), '--json'], {
    cwd: ROOT,
    env: startEnvironment(dataDir, { ...env, ...more }),
    stderr: 'inherit',
  });
  const { ok, checks }: { ok: boolean; checks: DoctorCheck[] } = JSON.parse(
    await new Response(child.stdout).text(),
  );
  const names = (...wanted: DoctorCheck['status'][]) =>
    checks.filter(({ status }) => wanted.includes(status)).map(({ name }) => name);
  return { code: await child.exited, ok, names, checks };
}

test('on a sound installation nothing is named, before the start and while it runs', async () => {
  target = `http://127.0.0.1:${port}`;
  const before = await doctor();
  expect(named(before.checks)).toEqual([]);
  expect([before.code, before.ok]).toEqual([0, true]);
  expect(before.names('good')).toContain('public-address');
  expect(before.names('skipped')).toContain('postgres');

  const instance = await startInstance({ dataDir, env });
  try {
    const running = await doctor();
    expect(named(running.checks)).toEqual([]);
    expect([running.code, running.ok]).toEqual([0, true]);
    for (const name of ['postgres', 'temporal', 'status-temporal', 'status-queries', 'schema']) {
      expect(running.names('good')).toContain(name);
    }

    const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` };
    const asked = await fetch(`${proxy.url.origin}/doctor`, { headers });
    const report = await asked.json();
    expect(report).toMatchObject({ ok: true, arrival: { lostCookie: false } });
    expect((await fetch(`${proxy.url.origin}/doctor`)).status).toBe(404);

    const wrong = await doctor({ TRUST_PROXY: '2' });
    expect(wrong.code).toBe(1);
    expect(wrong.names('error')).toEqual(['public-address']);
  } finally {
    await instance.stop();
  }
}, 300_000);
