import { onlyRow } from '../shared/assert.ts';
import { besidePool, type Db, type Sql, type Tx, done } from './postgres.ts';

/** Both releases of a rolling upgrade exclude each other by them. */
const SERVICE_LOCKS = {
  backups: { text: 'backups', seed: 0 },
  backupChecks: { text: 'backup-checks', seed: 0 },
  migrations: { key: 7_310_550_412 },
  firstAccount: { key: 7_310_550_413 },
  compaction: { text: 'compaction', seed: 0 },
  eventFiles: { text: 'event-files', seed: 0 },
  exchangeRates: { text: 'exchange rates', seed: 21 },
  lake: { text: 'lake', seed: 0 },
  logPartitions: { text: 'log-partitions', seed: 0 },
  lostRuns: { text: 'lost-runs', seed: 0 },
  missingRuns: { text: 'missing-runs', seed: 0 },
  previews: { text: 'previews', seed: 0 },
  sameDatabase: { text: 'same-database', seed: 0 },
  scrub: { text: 'scrub', seed: 0 },
} as const;

/** Per app, organization or day; the text prefixes the id. */
const SUBJECT_LOCKS = {
  backend: { text: 'backend:', seed: 0 },
  deliveryTurns: { text: 'delivery turns:', seed: 0 },
  digests: { text: 'digests:', seed: 0 },
  eventNames: { text: 'event names:', seed: 0 },
  flags: { text: 'flags:', seed: 0 },
  funnels: { text: 'funnels:', seed: 0 },
  marks: { text: 'marks:', seed: 0 },
  onboardings: { text: 'onboardings:', seed: 0 },
  questions: { text: 'questions:', seed: 0 },
  segments: { text: 'segments:', seed: 0 },
  sqlQueries: { text: 'sql queries:', seed: 0 },
  storeApps: { text: 'store apps:', seed: 0 },
  storeDay: { text: '', seed: 20 },
  watches: { text: 'watches:', seed: 0 },
  webhooks: { text: 'webhooks:', seed: 0 },
} as const;

export type ServiceLock = keyof typeof SERVICE_LOCKS;
export type SubjectLock = keyof typeof SUBJECT_LOCKS;

type Key = { readonly key: number } | { readonly text: string; readonly seed: number };

function keySql(db: Db, key: Key) {
  return 'key' in key ? db`${key.key}::bigint` : db`hashtextextended(${key.text}, ${key.seed})`;
}

export const lock = (tx: Tx, name: ServiceLock) =>
  done(tx`SELECT pg_advisory_xact_lock(${keySql(tx, SERVICE_LOCKS[name])})`);

export async function lockSubject(tx: Tx, name: SubjectLock, id: string): Promise<void> {
  const { text, seed } = SUBJECT_LOCKS[name];
  await tx`SELECT pg_advisory_xact_lock(${keySql(tx, { text: `${text}${id}`, seed })})`;
}

/**
 * For long transactions: PostgreSQL ends that of a host that vanished, and frees its locks, within
 * half a minute instead of two hours (Linux' keepalive).
 */
export const noticeLoss = (tx: Tx) =>
  done(
    // No SELECT, which would take the snapshot of a repeatable read.
    tx.unsafe(`SET LOCAL tcp_keepalives_idle = 15; SET LOCAL tcp_keepalives_interval = 5;
      SET LOCAL tcp_keepalives_count = 3`),
  );

/** Null, without waiting, when held. Its connection is outside the pool that `work` uses. */
export async function withLock<T>(
  sql: Sql,
  name: ServiceLock,
  work: () => Promise<T>,
): Promise<{ value: T } | null> {
  return besidePool(sql).begin(async (tx): Promise<{ value: T } | null> => {
    await noticeLoss(tx);
    const rows = await tx<{ locked: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(${keySql(tx, SERVICE_LOCKS[name])}) AS locked`;
    return onlyRow(rows).locked ? { value: await work() } : null;
  });
}
