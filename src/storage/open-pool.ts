import postgres from 'postgres';
import type { OnEntry } from './audit.ts';

/** Milliseconds; 0 means no limit to PostgreSQL. */
export type WaitLimits = {
  connectionMs: number;
  /** For a lock; then 55P03. */
  lockMs: number;
  /** In a transaction; then rolled back and disconnected. */
  idleInTransactionMs: number;
};

export const PATIENT: WaitLimits = { connectionMs: 60_000, lockMs: 0, idleInTransactionMs: 0 };

/** Retried, possibly behind an erasure or a rewrite. */
export const BACKGROUND_WAITS: WaitLimits = {
  connectionMs: 30_000,
  lockMs: 60_000,
  idleInTransactionMs: 120_000,
};

export type SqlOptions = {
  maxConnections: number;
  applicationName: string;
  /** Nothing of a session is kept between transactions. */
  isPooled?: boolean;
  limits?: WaitLimits;
  onAuditEntry?: OnEntry;
};

export function openPool(databaseUrl: string, options: OpenOptions): postgres.Sql {
  const { maxConnections, applicationName, isPooled = false, limits } = options;
  return postgres(databaseUrl, {
    max: maxConnections,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    backoff: (attempt) => Math.min(2, 0.1 * 2 ** attempt),
    onnotice: () => undefined,
    prepare: !isPooled,
    // A pooler hands on the connection after a statement, and loses one sent behind it.
    ...(isPooled && { max_pipeline: 0 }),
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(!isPooled && {
        lock_timeout: limits.lockMs,
        idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      }),
    },
    types: {
      bigint: {
        to: 20,
        from: [20],
        parse: (text: string) => Number(text),
        serialize: (value: number) => String(value),
      },
    },
  });
}

type OpenOptions = SqlOptions & { limits: WaitLimits };
export const localLimits = ({ lockMs, idleInTransactionMs }: WaitLimits) =>
  `SET LOCAL lock_timeout = ${lockMs};
  SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
