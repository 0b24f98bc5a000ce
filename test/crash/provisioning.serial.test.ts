import { afterAll, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { startInstance } from '../support/instance.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';

const KILLS = isFullRun ? 50 : 5;
const APPS = isFullRun ? 200 : 30;
const VICTIMS = ['api-0', 'worker-0', 'temporal', 'postgres'];
const random = randomFrom(20_261_121);

const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '1000' } });
afterAll(() => instance.stop());

const { call } = bootstrapClient(instance, 'crash');

async function createAndPerhapsDelete(index: number): Promise<void> {
  const slug = `crash-${index}`;
  const made = await call('POST', '/v1/apps', { slug, displayName: slug });
  expect([201, 409]).toContain(made.status);
  if (random() < 0.5) return;
  const list = (await (await call('GET', '/v1/apps')).json()) as { id: string; slug: string }[];
  const app = list.find((one) => one.slug === slug);
  const gone = await call('DELETE', `/v1/apps/${app?.id}`);
  // The answer to an earlier try may have been lost: then it is gone already.
  expect([200, 404]).toContain(gone.status);
}

async function killAtRandom(stopped: () => boolean): Promise<number> {
  let kills = 0;
  while (kills < KILLS && !stopped()) {
    await Bun.sleep(500 + random() * 1_500);
    const children = instance.children();
    const victims = Object.keys(children).filter((name) =>
      VICTIMS.some((victim) => name === victim || name === victim.replace(/-0$/, '')),
    );
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim === undefined) continue;
    try {
      process.kill(children[victim] ?? 0, 'SIGKILL');
      kills += 1;
    } catch {
      // It was being started again at this moment.
    }
  }
  return kills;
}

test(`${APPS} provisionings and deletions through ${KILLS} kills: nothing hangs, nothing is twice`, async () => {
  let done = false;
  const killing = killAtRandom(() => done && !isFullRun);
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    for (let index = worker; index < APPS; index += 4) await createAndPerhapsDelete(index);
  });
  await Promise.all(workers);
  done = true;
  expect(await killing).toBeGreaterThan(0);

  const running = await readRunning(instance.dataDir);
  const sql = createSql(running?.env.DATABASE_URL ?? '', {
    maxConnections: 1,
    applicationName: 'crash-test',
  });
  await until('every app is settled', async (saw) => {
    try {
      const [row] = await sql`
            SELECT count(*) AS open FROM apps
            WHERE status = 'provisioning' OR deleted_at IS NOT NULL`;
      saw(row?.open);
      return row?.open === 0;
    } catch {
      return false;
    }
  });
  const apps = await sql`
      SELECT a.slug, a.status,
        (SELECT count(*) FROM funnels f WHERE f.app_id = a.app_id AND f.is_default) AS funnels,
        (SELECT count(*) FROM app_datasets d WHERE d.app_id = a.app_id) AS datasets
      FROM apps a`;
  const slugs = apps.map((app) => app.slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const app of apps) {
    const expected = app.status === 'active' ? 1 : 0;
    expect(['active', 'error']).toContain(app.status);
    expect({ ...app }).toMatchObject({ funnels: expected, datasets: expected });
  }
  const [orphans] = await sql`
      SELECT count(*) AS count FROM funnels f
      WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = f.app_id)`;
  expect(orphans?.count).toBe(0);
  await sql.end();
  console.log(`  ${KILLS} kills planned, ${apps.length} apps left of ${APPS}`);
});
