import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { assembleImage, type Image, inside, megabytes } from '../../support/image.ts';
import { isHealthy, processesOf } from '../../support/instance.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { ROOT } from '../../support/sources.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

const canEnter =
  process.getuid?.() === 0 && ['unshare', 'chroot', 'mknod'].every((name) => Bun.which(name));
if (!canEnter) console.log('not run: the image (needs root, unshare, chroot and mknod)');

const database = await testDatabase();
const temporal = await testTemporal();
const service = await startTestService(database, { temporal });
const ACCOUNT = 1_000;
let image: Image | undefined;
afterAll(() => {
  if (image) rmSync(image.root, { recursive: true, force: true });
});

test.skipIf(!canEnter)(
  'the image starts as its user, takes an event, and stops when told',
  async () => {
    image = assembleImage(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
    const { root } = image;
    const port = await freePort();
    const env = {
      PATH: '/usr/local/bin:/bin',
      HOME: '/home/bun',
      ...image.env,
      ...{ HOST: '127.0.0.1', PORT: String(port) },
      ...{ DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporal.address },
      TEMPORAL_NAMESPACE: temporal.namespace,
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
      DISK_FLOOR_MB: '0',
    };
    const user = image.user;
    const container = Bun.spawn(inside(image, `${user}:${user}`, image.command), {
      env,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const url = `http://127.0.0.1:${port}`;
    const said = new Response(container.stderr).text();
    await Promise.race([
      until('it is healthy', () => isHealthy(url)),
      container.exited.then(async (code) => {
        throw new Error(`It ended with ${code}: ${(await said).slice(-2_000)}`);
      }),
    ]);

    expect(readFileSync(`/proc/${container.pid}/status`, 'utf8')).toContain(`Uid:\t${ACCOUNT}`);
    const healthcheck = inside(image, `${user}:${user}`, image.healthcheck);
    expect(Bun.spawnSync(healthcheck, { env }).exitCode).toBe(0);
    const writes = inside(image, `${user}:${user}`, ['touch', '/app/x']);
    expect(Bun.spawnSync(writes, { env, stderr: 'ignore' }).exitCode).not.toBe(0);

    expect(processesOf('/app/node_modules/.cache/service').length).toBeGreaterThanOrEqual(4);
    const page = await fetch(`${url}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const org = await createTestOrg(service);
    const { device } = await createTestApp(service, org.orgId);
    const event = { name: 'app_opened', anonymousId: 'device-0001', ts: new Date().toISOString() };
    const answer = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { ...device, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [event], context: { platform: 'ios' } }),
    });
    expect(answer.status).toBe(202);
    const kept = readdirSync(join(root, 'data')).map(
      (name) => statSync(join(root, 'data', name)).uid,
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(new Set(kept)).toEqual(new Set([ACCOUNT]));

    container.kill('SIGTERM');
    expect(await container.exited).toBe(0);
    const size = {
      app: megabytes(join(root, 'app')),
      modules: megabytes(join(root, 'app/node_modules')),
    };
    console.log(`/app: ${size.app} MB, of them node_modules ${size.modules} MB`);
    expect(size.app).toBeLessThan(800);
  },
  600_000,
);
