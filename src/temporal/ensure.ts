import type { Logger } from '../observability/log.ts';
import { limitConcurrency } from '../shared/concurrency.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Wanted, WantedSchedules } from '../storage/wanted-runs.ts';
import type { RunScope, WorkflowContract } from './contracts/workflow.ts';
import { type TemporalGateway, temporalRefuses } from './gateway.ts';
import { serverReason } from './server-reason.ts';

const STARTS_AT_ONCE = 20;
/** Small, so that new rows are soon seen. */
const BATCH = 400;

type Temporal = { temporal: TemporalGateway };

export function ensureSoon<Input>(
  { temporal, log }: Temporal & { log: Logger },
  contract: WorkflowContract<string, Input>,
  input: Input,
  scope?: RunScope,
): void {
  temporal.ensure(contract, input, scope).catch((err: unknown) => {
    const workflowId = contract.workflowId(input);
    const reason = serverReason(err);
    log.warn({ reason, workflowId }, 'run could not be started; the reconciler will retry');
  });
}

/** Tries all; throws the first error. */
export async function ensureAll<T>(
  items: readonly T[],
  ensure: (item: T) => Promise<unknown>,
): Promise<void> {
  const { failures } = await ensureEach(items, ensure);
  if (failures.length > 0) throw failures[0];
}

async function ensureEach<T>(items: readonly T[], ensure: (item: T) => Promise<unknown>) {
  const limited = limitConcurrency(STARTS_AT_ONCE);
  const ensured: T[] = [];
  const failures: unknown[] = [];
  await Promise.all(
    items.map((item) =>
      limited(() => ensure(item)).then(
        () => ensured.push(item),
        (thrown: unknown) => failures.push(thrown),
      ),
    ),
  );
  return { ensured, failures };
}

export type MissingRuns<Row> = {
  select: (sql: Sql, limit: number) => Promise<Row[]>;
  ensure: (temporal: TemporalGateway, row: Row) => Promise<unknown>;
  /** Skips rows whose desired state changed. */
  markEnsured: (sql: Sql, rows: readonly Row[]) => Promise<void>;
};

/** Returns whether more may be left; throws the first error. */
export async function ensureMissing<Row>(
  { sql, temporal }: Temporal & { sql: Sql },
  { select, ensure, markEnsured }: MissingRuns<Row>,
): Promise<boolean> {
  const rows = await select(sql, BATCH);
  if (rows.length === 0) return false;
  // In an outage each start would wait for its deadline.
  const fault = await temporal.fault();
  if (fault !== null) throw temporalRefuses(new Error(fault));
  const { ensured, failures } = await ensureEach(rows, (row) => ensure(temporal, row));
  if (ensured.length > 0) await markEnsured(sql, ensured);
  if (failures.length > 0) throw failures[0];
  return rows.length === BATCH;
}

type DailyTime = { timezone: string; hour: number; minute: number };

/** Hourly, or once a day. */
export const ensureSchedules =
  <Row extends Wanted>(
    wanted: WantedSchedules<Row>,
    contract: WorkflowContract<string, { orgId: string }>,
    toTime?: (row: Row) => DailyTime,
  ) =>
  (deps: Temporal & { sql: Sql }): Promise<boolean> =>
    ensureMissing(deps, {
      ...wanted,
      ensure: (temporal, row) => {
        const input = { orgId: row.orgId };
        if (!row.isWanted) return temporal.unschedule(contract, input);
        if (!toTime) return temporal.scheduleHourly(contract, input);
        return temporal.scheduleDaily(contract, input, toTime(row));
      },
    });
