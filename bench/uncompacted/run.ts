import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { coalesceOnce } from '../../src/event-store/maintenance/rewrite.ts';
import { type Compactor, openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { startQueries } from '../../src/query/start.ts';
import { HOUR_MS } from '../../src/shared/time.ts';
import { STEP_NAMES } from '../funnel/question.ts';
import { BENCH_ORG } from '../support/event-files.ts';
import { addFile, maintain } from '../support/maintenance.ts';
import { medianTime, print } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { ASKED_APP, momentSql } from './generate.ts';

const RATE = process.argv.includes('--quick') ? 300 : 6_000;
/** The compactor writes a file about as often. */
const EVERY_SECONDS = 2;
const HOUR_SECONDS = 3_600;
const ROUNDS = 7;

/** An hour of the compactor's work: a file every two seconds, put together as they come. */
async function writeHour(compactor: Compactor, startMs: number): Promise<void> {
  const count = RATE * EVERY_SECONDS;
  const total = RATE * HOUR_SECONDS;
  for (let first = 0; first < total; first += count) {
    const from = momentSql(first, count, total, startMs);
    await addFile(compactor, from, 0, null);
    await coalesceOnce(compactor);
  }
}

async function filesOf({ sql }: Compactor): Promise<number> {
  const [row] = await sql<{ files: number }[]>`
    SELECT count(*)::integer AS files FROM event_file_apps WHERE app_id = ${ASKED_APP}`;
  return row?.files ?? 0;
}

function funnelMs(deps: Deps, startMs: number): Promise<number> {
  return medianTime(ROUNDS, () =>
    deps.queries.ask('funnel', {
      orgId: BENCH_ORG,
      appId: ASKED_APP,
      steps: STEP_NAMES.map((event) => ({ event })),
      fromUs: startMs * 1_000,
      startBeforeUs: (startMs + 2 * HOUR_MS) * 1_000,
      windowUs: HOUR_MS * 1_000,
      filters: {},
      breakdown: null,
      trendFromUs: null,
    }),
  );
}

/** A funnel after an hour of ingest without Temporal, beside the same data once it was merged. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig({ ...env, QUERY_MEMORY_MB: '2048' }), 'query');
    const { clock } = deps;
    const engine = { name: 'bench', memoryMb: 1_024, threads: 2 };
    const compactor = await openCompactor(deps, engine);
    const startMs = clock().getTime() - HOUR_MS;
    await writeHour(compactor, startMs);
    const queries = await startQueries(deps, 0);
    const [filesBefore, before] = [await filesOf(compactor), await funnelMs(deps, startMs)];
    await maintain(compactor);
    const [filesAfter, after] = [await filesOf(compactor), await funnelMs(deps, startMs)];
    await queries.stop();
    await deps.close();
    const millions = ((RATE * HOUR_SECONDS) / 2e6).toFixed(1);
    print({
      label: `funnel of ${millions} million events after an hour without Temporal`,
      value: `${before.toFixed(0)} ms, ${filesBefore} files`,
    });
    print({ label: 'the same when merged', value: `${after.toFixed(0)} ms, ${filesAfter} files` });
    print({ label: 'an hour behind / merged', value: `${(before / after).toFixed(2)} ×` });
  });
}
