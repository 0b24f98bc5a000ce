import { Gauge, type Registry } from 'prom-client';
import type { Deps } from '../../context.ts';
import { DAY_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { type Backlogs, selectBacklogs } from './queries.ts';
import { workerPolls } from './task-queues.ts';

const LIMIT_MS = 2 * SECOND_MS;

type Figure = { name: string; help: string; value: (backlogs: Backlogs) => number };

const FIGURES: readonly Figure[] = [
  {
    name: 'event_compaction_age_seconds',
    help: 'Since the compactor last put a segment into files; grows while no events come.',
    value: ({ compactionAgeSeconds }) => compactionAgeSeconds,
  },
  {
    name: 'backup_age_seconds',
    help: 'Since the last good backup of the service itself began; 0 before the first.',
    value: ({ backupAgeSeconds }) => backupAgeSeconds,
  },
  {
    name: 'lake_publication_age_seconds',
    help: 'Since the lake was published last; 0 before the first time, and with LAKE=off.',
    value: ({ lakeAgeSeconds }) => lakeAgeSeconds,
  },
  {
    name: 'store_collection_days_behind',
    help: 'Days since the newest day of sales that was collected, or since the reports of Google Play were read, of the connection that lags most.',
    value: ({ storeDaysBehind }) => storeDaysBehind,
  },
  {
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest run has waited to be started.',
    value: ({ missingRunAgeSeconds }) => missingRunAgeSeconds,
  },
  {
    name: 'purchase_notifications_unapplied',
    help: 'Notifications of the store that are stored and not applied yet.',
    value: ({ unappliedNotifications }) => unappliedNotifications,
  },
  {
    name: 'webhook_deliveries_failed',
    help: 'Webhook deliveries of the last 24 hours that were given up.',
    value: ({ failedDeliveries }) => failedDeliveries,
  },
  {
    name: 'event_columns_bytes',
    help: 'Columns of properties that questions ask for, of all apps.',
    value: ({ columnBytes }) => columnBytes,
  },
  {
    name: 'event_columns_properties',
    help: 'Properties of apps that have columns or are about to.',
    value: ({ columnProperties }) => columnProperties,
  },
  {
    name: 'event_orphan_files',
    help: 'Event files that the catalogue does not name, as the newest sweep counted them; 0 before the first.',
    value: ({ orphanFiles }) => orphanFiles,
  },
];

function ensureGauge(registry: Registry, name: string, help: string): Gauge {
  const registered = registry.getSingleMetric(name);
  return registered instanceof Gauge
    ? registered
    : new Gauge({ name, help, registers: [registry] });
}

async function countFailed({ clock, temporal }: Pick<Deps, 'clock' | 'temporal'>): Promise<number> {
  const since = new Date(clock().getTime() - DAY_MS).toISOString();
  const failed = '(ExecutionStatus = "Failed" OR ExecutionStatus = "TimedOut")';
  const query = `${failed} AND CloseTime > "${since}"`;
  return (await temporal.call(() => temporal.client.workflow.count(query))).count;
}

export async function measureRuns(
  deps: Pick<Deps, 'clock' | 'config' | 'metrics' | 'temporal'>,
): Promise<void> {
  const { registry } = deps.metrics;
  const failed = ensureGauge(
    registry,
    'workflows_failed',
    'Runs of the last 24 hours that failed or timed out: their work was given up.',
  );
  const polling = ensureGauge(registry, 'workers_polling', '1 while a worker takes runs.');
  const [count, polls] = await Promise.allSettled([
    withTimeout(countFailed(deps), LIMIT_MS),
    withTimeout(workerPolls(deps), LIMIT_MS),
  ]);
  if (count.status === 'fulfilled') failed.set(count.value);
  if (polls.status === 'fulfilled') polling.set(polls.value ? 1 : 0);
}

export async function measureBacklogs({
  config,
  sql,
  metrics,
}: Pick<Deps, 'config' | 'metrics' | 'sql'>): Promise<void> {
  const { lake } = config;
  const backlogs = await withTimeout(selectBacklogs(sql, lake), LIMIT_MS).catch(() => null);
  if (backlogs === null) return;
  for (const { name, help, value } of FIGURES) {
    ensureGauge(metrics.registry, name, help).set(value(backlogs));
  }
  ensureGauge(
    metrics.registry,
    'event_columns_budget_bytes',
    'What columns of properties may take: EVENTS_COLUMNS_MB.',
  ).set(config.events.columnBytes);
}
