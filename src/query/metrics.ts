import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { QueryClientOptions } from './client.ts';
import { QUERY_FAILURES } from './failure.ts';

const BUCKETS_SECONDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

type OnDone = NonNullable<QueryClientOptions['onDone']>;

function createDurations(registry: Registry, name: string, help: string): OnDone {
  const durations = new Histogram({
    name,
    help,
    labelNames: ['kind', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (kind, outcome, durationMs) => durations.observe({ kind, outcome }, durationMs / 1_000);
}

export const queryMetrics = (registry: Registry): OnDone =>
  createDurations(
    registry,
    'event_query_duration_seconds',
    'Time until a question was answered, waiting for a place included.',
  );

export function queryFaults(registry: Registry): NonNullable<QueryClientOptions['onFault']> {
  const faults = new Counter({
    name: 'event_query_faults_total',
    help: 'Questions about events that were ended, refused or failed.',
    labelNames: ['fault'],
    registers: [registry],
  });
  for (const fault of [...QUERY_FAILURES, 'queue_full']) faults.inc({ fault }, 0);
  return (fault) => faults.inc({ fault });
}

export function registerWaiting(registry: Registry, queries: { waiting: number }): void {
  new Gauge({
    name: 'event_queries_waiting',
    help: 'Questions about events that wait for a place.',
    registers: [registry],
    collect() {
      this.set(queries.waiting);
    },
  });
}

export const lakeQueryMetrics = (registry: Registry): OnDone =>
  createDurations(
    registry,
    'lake_query_duration_seconds',
    "Time until the lake's engine had answered, waiting for a place included.",
  );
