import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import { SECOND_MS } from '../../src/shared/time.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';
import { until } from './until.ts';
import { pause } from './pause.ts';

const HURRY_EVERY_MS = 30 * SECOND_MS;

type Servers = { DATABASE_URL: string; TEMPORAL_ADDRESS: string };
/** The hourly `sync-all`. */
type Cron = { url: () => string; secret: string };

/** What is done by the hour is due every half minute, as long as its servers are there. */
export class HurriedWork {
  private readonly stopping = new AbortController();
  private readonly hurrying: Promise<void>;

  /** `servers`: those of now. */
  constructor(
    private readonly servers: () => Servers,
    private readonly cron: Cron,
  ) {
    this.hurrying = this.hurry();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.hurrying;
  }

  /** Waits until rates are read, and alerts looked for, once more. */
  async untilDone(): Promise<void> {
    const since = new Date().toISOString();
    const query = `WorkflowType = "alertCheck" AND ExecutionStatus = "Completed" AND StartTime > "${since}"`;
    let before: number | null = null;
    await until('the hourly work is done', async (saw) => {
      const done = await this.withServers(async (sql, client) => {
        const [imports] = await sql<{ revision: number }[]>`
          SELECT coalesce(max(revision), 0)::bigint AS revision FROM exchange_rate_imports`;
        before ??= imports?.revision ?? 0;
        const { count } = await client.workflow.count(query);
        return { rates: (imports?.revision ?? 0) > before, alerts: count > 0 };
      }).catch(() => null);
      saw(done);
      return done?.rates && done.alerts;
    });
  }

  private async hurry(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Of what is away now there is nothing to hurry.
      await this.withServers(async (sql, client) => {
        await makeDue(sql);
        for await (const { scheduleId } of client.schedule.list()) {
          await client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.SKIP);
        }
      }).catch(() => undefined);
      await this.callCron().catch(() => undefined);
      await pause(HURRY_EVERY_MS, 'before the next call');
    }
  }

  private async callCron(): Promise<void> {
    const { url, secret } = this.cron;
    const headers = { 'x-cron-secret': secret };
    const signal = AbortSignal.timeout(HURRY_EVERY_MS);
    await fetch(`${url()}/internal/analytics/sync-all`, { method: 'POST', headers, signal });
  }

  private async withServers<T>(work: (sql: Sql, client: Client) => Promise<T>): Promise<T> {
    const { DATABASE_URL, TEMPORAL_ADDRESS } = this.servers();
    const sql = createSql(DATABASE_URL, { maxConnections: 1, applicationName: 'crash-test' });
    try {
      const connection = await Connection.connect({ address: TEMPORAL_ADDRESS });
      try {
        return await work(sql, new Client({ connection, namespace: 'default' }));
      } finally {
        await connection.close();
      }
    } finally {
      await sql.end();
    }
  }
}

/** Rates are read again after six hours, schedules looked after every two. */
async function makeDue(sql: Sql): Promise<void> {
  await sql`UPDATE exchange_rate_imports SET imported_at = imported_at - interval '6 hours'
    WHERE imported_at > now() - interval '6 hours'`;
  await sql`UPDATE message_settings SET run_ensured_at = run_ensured_at - interval '2 hours'
    WHERE run_ensured_at > now() - interval '2 hours'`;
}
