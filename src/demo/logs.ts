import type { OrgContext } from '../context.ts';
import type { IngestLogInput, LogLevel } from '../modules/logs/model.ts';
import { toRecord } from '../modules/logs/record.ts';
import { HOUR_MS } from '../shared/time.ts';

type Entry = IngestLogInput & { hoursAgo: number };

const service = 'sync-server';

function entries(appId: string): Entry[] {
  const entry = (
    hoursAgo: number,
    level: LogLevel,
    message: string,
    more: Record<string, unknown> = {},
  ): Entry => ({
    hoursAgo,
    level,
    message,
    service,
    fields: { env: 'production', appId, ...more },
  });
  return [
    entry(71, 'info', 'deployed', { version: '2026.11.3', commit: '4f1c9aa' }),
    entry(53, 'warn', 'query took 4,012 ms', { ms: 4_012, table: 'sessions' }),
    entry(52, 'warn', 'query took 3,870 ms', { ms: 3_870, table: 'sessions' }),
    entry(30, 'error', 'connection to the database was lost', {
      attempt: 1,
      requestId: 'req-4711',
    }),
    entry(30, 'error', 'connection to the database was lost', {
      attempt: 2,
      requestId: 'req-4711',
    }),
    entry(29.9, 'info', 'connected to the database again', { afterSeconds: 94 }),
    entry(20, 'debug', 'cache filled', { entries: 1_204 }),
    entry(6, 'info', 'deployed', { version: '2026.11.4', commit: 'b07d12e' }),
    entry(2, 'warn', 'push token refused', { platform: 'ios', requestId: 'req-5150' }),
    entry(0.2, 'info', 'nightly export finished', { rows: 48_211, seconds: 37 }),
  ];
}

export async function writeLogs(
  { deps, orgId }: OrgContext<'clock' | 'logWriter'>,
  appId: string,
): Promise<number> {
  const nowMs = deps.clock().getTime();
  const written = entries(appId);
  for (const { hoursAgo, ...input } of written) {
    await deps.logWriter.append(toRecord(orgId, new Date(nowMs - hoursAgo * HOUR_MS), input));
  }
  return written.length;
}
