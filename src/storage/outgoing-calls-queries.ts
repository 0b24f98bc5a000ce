import { onlyRow } from '../shared/assert.ts';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { hasRows, type Sql } from './postgres.ts';

const LONGEST_SECONDS = 15;
const LOOK_EVERY_MS = 50;

/** Deletions wait for `work`, which looks whether its app is deleted. */
export async function asOutgoingCall<T>(
  sql: Sql,
  orgId: string,
  work: () => Promise<T>,
): Promise<T> {
  const rows = await sql<{ callId: string }[]>`
    INSERT INTO outgoing_calls (org_id) VALUES (${orgId}) RETURNING call_id AS "callId"`;
  const { callId } = onlyRow(rows);
  try {
    return await work();
  } finally {
    await sql`DELETE FROM outgoing_calls WHERE call_id = ${callId}`.catch(() => undefined);
  }
}

async function waitForCalls(sql: Sql, orgId: string): Promise<void> {
  await sql`
    DELETE FROM outgoing_calls WHERE begun_at < now() - ${2 * LONGEST_SECONDS} * interval '1 second'`;
  const rows = await sql<{ callId: string }[]>`
    SELECT call_id AS "callId" FROM outgoing_calls WHERE org_id = ${orgId}`;
  const begun = rows.map(({ callId }) => callId);
  const endMs = performance.now() + LONGEST_SECONDS * SECOND_MS;
  const isUnderWay = () =>
    hasRows(sql`SELECT 1 FROM outgoing_calls WHERE call_id = ANY(${begun}::uuid[]) LIMIT 1`);
  while (performance.now() < endMs && begun.length > 0 && (await isUnderWay())) {
    await sleep(LOOK_EVERY_MS);
  }
}

type Log = { warn: (fields: object, text: string) => void };

/** After the deletion's commit, which stands whatever happens here. */
export const untilCallsEnd = ({ sql, log }: { sql: Sql; log: Log }, orgId: string): Promise<void> =>
  waitForCalls(sql, orgId).catch((err) => log.warn({ err }, 'calls not awaited'));
