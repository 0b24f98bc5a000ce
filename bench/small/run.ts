import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { liveFilesOfApp } from '../../src/event-store/catalogue/queries.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { startQueries } from '../../src/query/start.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { addFile, maintain } from '../support/maintenance.ts';
import { option } from '../support/options.ts';
import { medianTime, print } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { appDaysSql, appName, EVENTS_PER_DAY } from './generate.ts';

/** 2,000 with `--long`; `--apps=N` for others. */
const APPS = Number(option('apps') ?? (process.argv.includes('--long') ? 2_000 : 400));
const DAYS = 400;
const ROUNDS = 7;
const FUNNEL = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];

async function askQueries(deps: Deps, today: number): Promise<void> {
  const server = await startQueries(deps, 0);
  const scope = { orgId: 'org_bench', appId: appName(0) };
  const fromUs = (today - DAYS * DAY_MS) * 1_000;
  const toUs = (today + DAY_MS) * 1_000;
  const summary = () =>
    deps.queries.ask('summary', { ...scope, fromUs, beforeUs: toUs, limit: 500 });
  const funnel = () =>
    deps.queries.ask('funnel', {
      ...scope,
      steps: FUNNEL.map((event) => ({ event })),
      fromUs,
      startBeforeUs: toUs,
      windowUs: 14 * DAY_MS * 1_000,
      filters: {},
      breakdown: null,
      trendFromUs: null,
    });
  print({
    label: `${DAYS}-day summary of one app`,
    value: `${(await medianTime(ROUNDS, summary)).toFixed(0)} ms`,
  });
  print({
    label: `${DAYS}-day funnel of one app`,
    value: `${(await medianTime(ROUNDS, funnel)).toFixed(0)} ms`,
  });
  await server.stop();
}

/** Many small apps: how their days become files, how many, and what a long query over them takes. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig({ ...env, QUERY_MEMORY_MB: '512' }), 'query');
    const { sql } = deps;
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const clock = () => new Date(today + DAY_MS / 2);
    const engine = { name: 'bench', memoryMb: 512, threads: 2 };
    const compactor = await openCompactor({ ...deps, clock }, engine);

    // Yesterday of all apps, as the compactor leaves it, split by the maintenance.
    await addFile(compactor, appDaysSql(1, APPS - 1, today - DAY_MS), 0, null);
    await sql`UPDATE event_files SET created_at = ${new Date(today - 1)}`;
    const started = performance.now();
    await maintain(compactor);
    const seconds = (performance.now() - started) / 1_000;
    print({ label: `one day of ${APPS} apps split`, value: `${seconds.toFixed(1)} s` });

    // Every day of one app, merged as its files came.
    for (let day = DAYS; day >= 1; day -= 1) {
      const dayMs = today - day * DAY_MS;
      const name = new Date(dayMs).toISOString().slice(0, 10);
      await addFile(compactor, appDaysSql(0, 1, dayMs), 1, name);
    }
    await maintain(compactor);
    const files = await liveFilesOfApp(sql, appName(0));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    print({
      label: `files of one app after ${DAYS} days of ${EVENTS_PER_DAY} events`,
      value: `${files.length}, ${(bytes / 1024 / 1024).toFixed(1)} MB   (so ${files.length * 2_000} for 2,000 apps)`,
    });
    await askQueries(deps, today);
    await deps.close();
  });
}
