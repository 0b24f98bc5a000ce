import { Type } from '@sinclair/typebox';
import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { toUtcDay, ensurePartition } from '../../src/modules/logs/partition-queries.ts';
import { parser } from '../../src/shared/schema.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { createTestOrg } from '../../test/support/factories.ts';
import { median, print } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const CONNECTIONS = 64;
const SECONDS = 5;
const STORED = 1_000_000;
const ROUNDS = 5;

const pageTotal = parser(Type.Object({ total: Type.Number() }), 'page of log entries');

const ENTRY = JSON.stringify({
  level: 'info',
  message: 'user 4711 opened the dashboard and loaded the funnel report',
  service: 'web',
  fields: { env: 'prod', requestId: 'req_4711', path: '/v1/apps/4711', ms: 12 },
});

async function acceptedPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: ENTRY,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return result.requests.average;
}

/** A million entries of one organization, spread over the last day. */
async function fill(sql: Sql, orgId: string): Promise<void> {
  const now = new Date();
  for (const at of [now, new Date(now.getTime() - 86_400_000)]) {
    await ensurePartition(sql, toUtcDay(at));
  }
  await sql`
    INSERT INTO logs (org_id, at, log_id, level, service, env, request_id, entry, haystack)
    SELECT ${orgId}, date_trunc('milliseconds', now()) - i * interval '86 milliseconds',
      'log_' || lpad(i::text, 26, '0'), 'info', 'service-' || (i % 5), 'prod', 'req_' || i,
      '{"message":"user ' || i || ' opened the dashboard and loaded the funnel report",' ||
        '"fields":{"env":"prod","requestId":"req_' || i || '","path":"/v1/apps/' || i || '"}}',
      'user ' || i || ' opened the dashboard and loaded the funnel report' || E'\n' ||
        'env prod' || E'\n' || 'requestid req_' || i || E'\n' || 'path /v1/apps/' || i
    FROM generate_series(1, ${STORED}) AS i`;
  await sql`
    INSERT INTO log_facets (org_id, day, service, env, level, entries)
    SELECT org_id, (at AT TIME ZONE 'UTC')::date, service, env, level, count(*) FROM logs
    WHERE org_id = ${orgId} GROUP BY 1, 2, 3, 4, 5`;
  await sql`ANALYZE logs`;
}

async function queryMs(url: string, headers: Record<string, string>): Promise<[number, number]> {
  const times: number[] = [];
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers });
    const page = pageTotal.parse(await answer.json());
    times.push(performance.now() - startedAt);
    total = page.total;
  }
  return [median(times), total];
}

/** Accepted entries a second, each stored before its 202, and queries over a million entries. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const api = await startRole('api', env);
    const url = `${api.address}/v1/logs`;
    const perSecond = await acceptedPerSecond(url, org.key);
    print({ label: 'accepted log entries', value: `${perSecond.toFixed(0)} a second` });
    const full = await createTestOrg({ deps });
    await fill(deps.sql, full.orgId);
    for (const [label, query] of [
      ['few hits', '?q=req_77777'],
      ['no hit', '?q=timeout%20exceeded'],
      ['a million hits', '?q=dashboard'],
      ['without q', ''],
    ]) {
      const [ms, total] = await queryMs(`${url}${query}`, full.key);
      const figure = `${ms.toFixed(0)} ms for ${total} hits   (goal ≤ 500 ms)`;
      print({ label: `a query over 1,000,000 entries, ${label}`, value: figure });
    }
    await api.stop();
    await deps.close();
  });
}
