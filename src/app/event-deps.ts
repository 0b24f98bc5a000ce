import type { Config, ProcessRole } from '../config.ts';
import type { Deps } from '../context.ts';
import { SegmentShipper } from '../event-store/append.ts';
import { checkedObjectStore, ownedObjectStore } from '../event-store/place.ts';
import { createLogger } from '../observability/log.ts';
import { createTelemetry } from '../observability/telemetry.ts';
import { SECOND_MS, systemClock } from '../shared/time.ts';
import { openObjectStore } from '../storage/object-store/open.ts';
import type { OnEntry } from '../storage/audit.ts';
import { CONNECTIONS } from '../storage/connections.ts';
import type { WaitLimits } from '../storage/open-pool.ts';
import { createSql } from '../storage/postgres.ts';

/** By this age the API would have shipped; its process is gone. */
const LEFTOVER_AGE_MS = 10 * SECOND_MS;

/** Requests are answered within 30 s. */
const WAITS_OF_REQUESTS: WaitLimits = {
  connectionMs: 8 * SECOND_MS,
  lockMs: 8 * SECOND_MS,
  // A process starved of CPU is slow between statements too.
  idleInTransactionMs: 20 * SECOND_MS,
};

export type EventDeps = Pick<
  Deps,
  'clock' | 'config' | 'log' | 'objects' | 'shipper' | 'sql' | 'telemetry'
> & { close: () => Promise<void> };

function requireDatabaseUrl(config: Config): string {
  if (!config.databaseUrl) throw new Error('DATABASE_URL is not set.');
  return config.databaseUrl;
}

export function createEventDeps(
  config: Config,
  role: ProcessRole | 'admin',
  onAuditEntry?: OnEntry,
): EventDeps {
  const clock = systemClock;
  const log = createLogger(config, role);
  const sql = createSql(requireDatabaseUrl(config), {
    maxConnections: CONNECTIONS[role],
    applicationName: `control-plane-${role}`,
    isPooled: config.databasePooler === 'transaction',
    ...(role === 'api' && { limits: WAITS_OF_REQUESTS }),
    ...(onAuditEntry && { onAuditEntry }),
  });
  const { logDir, url } = config.events;
  const place = checkedObjectStore({ sql, log, objects: openObjectStore(config) });
  const objects = ownedObjectStore({ sql, clock, objects: place, url });
  const minAgeMs = role === 'api' ? 0 : LEFTOVER_AGE_MS;
  const shipper = new SegmentShipper({ objects, logDir, log, minAgeMs });
  const telemetry = createTelemetry(config, role);
  return {
    clock,
    config,
    log,
    objects,
    shipper,
    sql,
    telemetry,
    close: async () => {
      await telemetry.close();
      await sql.end({ timeout: 5 });
    },
  };
}
