import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elfFaults } from '../../../scripts/one/elf.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { type Container, newVolume, startContainer } from '../../support/container.ts';
import { expectExactlyOnce, prepareEventCrash, report } from '../../support/event-crash.ts';
import { assembleImage, type Image, megabytes } from '../../support/image.ts';
import { describeFull } from '../../support/left-out.ts';
import { pause } from '../../support/pause.ts';
import { randomFrom } from '../../support/random.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

const NEEDED = ['unshare', 'nsenter', 'chroot', 'setpriv', 'mknod', 'apt-get', 'dpkg-deb'];
const canRun = process.getuid?.() === 0 && NEEDED.every((name) => Bun.which(name));

const KILLS = 10;
const EVENTS = 10_000;
const ACCOUNT = 1_000;
const SEED = Number(process.env.TEST_SEED ?? 20_261_130);
const folder = mkdtempSync(join(tmpdir(), 'one-'));
let image: Image | undefined;
let container: Container | undefined;
afterAll(async () => {
  await container?.stop();
  rmSync(folder, { recursive: true, force: true });
  if (image) rmSync(image.root, { recursive: true, force: true });
});

function assemble(architecture: string): string {
  const stage = join(folder, architecture);
  mkdirSync(stage);
  const words = [process.execPath, join(ROOT, 'scripts/one-root.ts'), join(stage, 'assembled')];
  const { exitCode, stderr } = Bun.spawnSync([...words, architecture]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stage;
}

type Read = (path: string, body?: unknown) => Promise<any>;

async function firstFigure({ url, exec }: Container): Promise<number> {
  const words = ['bootstrap', '--org', 'First', '--email', 'first@example.com', '--json'];
  const { apiKey } = JSON.parse(exec(['bun', 'src/admin/main.ts', ...words]));
  const read: Read = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const app = await read('/v1/apps', { slug: 'first', displayName: 'First' });
  const { secret } = await read(`/v1/apps/${app.id}/keys`, { name: 'first' });
  const event = { name: 'app_opened', anonymousId: 'device-0001', ts: new Date().toISOString() };
  const sent = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'x-service-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event], context: { platform: 'ios' } }),
  });
  expect([sent.status, await sent.text()]).toEqual([202, expect.anything()]);
  const summary = () => read(`/v1/apps/${app.id}/events/summary`);
  await until('the event counts', async () => (await summary()).events === 1);
  return (await summary()).people;
}

describeFull(canRun, `no root or not all of ${NEEDED.join(', ')}`)('the one container', () => {
  test('arm64 is assembled of its own programs alone, with all their libraries', () => {
    const stage = assemble('arm64');
    const root = join(stage, 'assembled');
    const { seen, faults } = elfFaults(root, 'arm64');
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(300);
    for (const name of ['bun', 'temporal']) {
      expect(readFileSync(join(root, 'usr/local/bin', name)).readUInt16LE(18)).toBe(183);
    }
    expect(elfFaults(root, 'amd64').faults.length).toBeGreaterThanOrEqual(seen);
    console.log(`  arm64: ${seen} programs and libraries, ${megabytes(root)} MB`);
    rmSync(stage, { recursive: true });
  });

  test(`it starts from nothing, takes ${EVENTS} events, and loses none by ${KILLS} kills`, async () => {
    const root = assemble('amd64');
    image = assembleImage(
      readFileSync(join(ROOT, 'deploy/one/Dockerfile'), 'utf8'),
      new Map([['assembled', root]]),
    );
    rmSync(root, { recursive: true });
    const dataDir = await newVolume(ACCOUNT);
    const port = await freePort();
    const start = { dataDir, port, env: { RATE_LIMIT_SCALE: '1000', DISK_FLOOR_MB: '0' } };

    const beganAt = performance.now();
    container = await startContainer(image, start);
    const readyMs = performance.now() - beganAt;
    expect(await firstFigure(container)).toBe(1);
    const figureMs = performance.now() - beganAt;
    expect(figureMs).toBeLessThan(60_000);

    const status = readFileSync(`/proc/${container.first()}/status`, 'utf8');
    expect(status).toContain(`Uid:\t${ACCOUNT}\t${ACCOUNT}\t${ACCOUNT}\t${ACCOUNT}`);
    expect(status).toContain('NoNewPrivs:\t1');
    expect(() => container?.exec(['touch', '/app/x'])).toThrow('Read-only file system');
    container.exec(image.healthcheck);

    const random = randomFrom(SEED);
    const load = { seed: SEED, clients: 4, everyMs: 150 };
    const crash = await prepareEventCrash(container, { ...load, env: container.settings() });
    const sending = crash.sender.run();
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(500 + random() * 2_000, 'a kill at any moment');
      const killed = container;
      container = undefined;
      await killed.kill();
      container = await startContainer(image, start);
    }
    await until('all of them are acknowledged', () => crash.sender.acknowledgedEvents >= EVENTS);
    crash.sender.stop();
    const total = await sending;
    expect(total).toBeGreaterThanOrEqual(EVENTS);
    const env = container.settings();
    await expectExactlyOnce(container, crash, total, { url: env.DATABASE_URL ?? '', env });
    console.log(
      `  seed ${SEED}; ready after ${Math.round(readyMs)} ms, a figure after ${Math.round(figureMs)} ms; ` +
        `${megabytes(image.root)} MB; ${KILLS} kills; ${report(crash, total)}`,
    );
    const ended = container;
    container = undefined;
    expect(await ended.stop()).toBe(0);
    rmSync(join(dataDir, '..'), { recursive: true });
  });
});
