import { expect } from 'bun:test';
import type { Sql } from '../../src/storage/postgres.ts';
import type { CrashClient } from './crash-client.ts';
import { until } from './until.ts';
import { pause } from './pause.ts';

const CLIENTS = 4;
const SETTLED = ['active', 'error'];

export type ProvisioningLoad = {
  pauseMs: number;
  /** From 0 to 1, of a seed. */
  random: () => number;
  isOver: () => boolean;
};

/** Makes apps and deletes half of them, until it is over; gives how many it made. */
export async function makeAndDelete(
  { call }: CrashClient,
  { pauseMs, random, isOver }: ProvisioningLoad,
): Promise<number> {
  let made = 0;
  const one = async (slug: string) => {
    const answer = await call('POST', '/v1/apps', { slug, displayName: slug });
    expect([201, 409]).toContain(answer.status);
    if (random() < 0.5) return;
    const list = (await (await call('GET', '/v1/apps')).json()) as { id: string; slug: string }[];
    const app = list.find((listed) => listed.slug === slug);
    const gone = await call('DELETE', `/v1/apps/${app?.id}`);
    // The answer to an earlier try may have been lost: then it is gone already.
    expect([200, 404]).toContain(gone.status);
  };
  const client = async () => {
    while (!isOver()) {
      made += 1;
      await one(`made-${made}`);
      await pause(pauseMs, 'apps at a steady rate');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return made;
}

/** No app hangs, and none is there twice or half; gives how many are left. */
export async function expectProvisionedOnce(sql: Sql): Promise<number> {
  await until('every app is settled', async (saw) => {
    const [row] = await sql`
      SELECT count(*) AS open FROM apps
      WHERE status = 'provisioning' OR deleted_at IS NOT NULL`.catch(() => []);
    saw(row?.open);
    return row?.open === 0;
  });
  const apps = await sql<{ slug: string; status: string; funnels: number; datasets: number }[]>`
    SELECT a.slug, a.status,
      (SELECT count(*) FROM funnels f WHERE f.app_id = a.app_id AND f.is_default) AS funnels,
      (SELECT count(*) FROM app_datasets d WHERE d.app_id = a.app_id) AS datasets
    FROM apps a`;
  const slugs = apps.map((app) => app.slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const app of apps) {
    const expected = app.status === 'active' ? 1 : 0;
    expect(SETTLED).toContain(app.status);
    expect({ ...app }).toMatchObject({ funnels: expected, datasets: expected });
  }
  const [orphans] = await sql`
    SELECT count(*) AS count FROM funnels f
    WHERE NOT EXISTS (SELECT 1 FROM apps a WHERE a.app_id = f.app_id)`;
  expect(orphans?.count).toBe(0);
  return apps.length;
}
