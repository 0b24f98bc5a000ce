import { Type } from '@sinclair/typebox';
import { parser } from '../../shared/schema.ts';
import type { Db } from '../../storage/postgres.ts';

const RunInput = parser(Type.Record(Type.String(), Type.Unknown()), 'outbox input');

/** A workflow run that has to be started. */
export type OutboxRun = {
  outboxId: string;
  orgId: string;
  appId: string | null;
  workflowType: string;
  workflowId: string;
  input: Record<string, unknown>;
  summary: string;
};

type OutboxRow = {
  outbox_id: string;
  org_id: string;
  app_id: string | null;
  workflow_type: string;
  workflow_id: string;
  input: unknown;
  summary: string;
};

const toRun = (row: OutboxRow): OutboxRun => ({
  outboxId: row.outbox_id,
  orgId: row.org_id,
  appId: row.app_id,
  workflowType: row.workflow_type,
  workflowId: row.workflow_id,
  input: RunInput.parse(row.input),
  summary: row.summary,
});

export async function insertOutboxRun(db: Db, run: OutboxRun): Promise<void> {
  await db`
    INSERT INTO outbox (outbox_id, org_id, app_id, workflow_type, workflow_id, input, summary)
    VALUES (${run.outboxId}, ${run.orgId}, ${run.appId}, ${run.workflowType}, ${run.workflowId},
      ${JSON.stringify(run.input)}::text::jsonb, ${run.summary})`;
}

/**
 * Takes runs that wait, oldest first, and postpones them: when the taker dies before it started
 * one, the next sweep takes it again.
 */
export async function takeWaitingRuns(
  db: Db,
  options: { limit: number; retrySeconds: number },
): Promise<OutboxRun[]> {
  const rows = await db<OutboxRow[]>`
    UPDATE outbox SET attempts = attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${options.retrySeconds})
    WHERE outbox_id IN (
      SELECT outbox_id FROM outbox
      WHERE started_at IS NULL AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT ${options.limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING outbox_id, org_id, app_id, workflow_type, workflow_id, input, summary`;
  return rows.map(toRun);
}

export async function markStarted(db: Db, outboxId: string): Promise<void> {
  await db`UPDATE outbox SET started_at = now(), last_error = NULL WHERE outbox_id = ${outboxId}`;
}

export async function markFailed(db: Db, outboxId: string, error: string): Promise<void> {
  await db`UPDATE outbox SET last_error = ${error.slice(0, 500)} WHERE outbox_id = ${outboxId}`;
}

/** What was started long ago is of no use to anybody. */
export async function deleteOldRuns(db: Db, olderThanHours: number): Promise<void> {
  await db`
    DELETE FROM outbox WHERE started_at < now() - make_interval(hours => ${olderThanHours})`;
}
