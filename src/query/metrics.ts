import { Histogram, type Registry } from 'prom-client';
import type { QueryClientOptions } from './client.ts';

const BUCKETS_SECONDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

/** Duration and outcome of questions about events. */
export function queryMetrics(registry: Registry): NonNullable<QueryClientOptions['onDone']> {
  const durations = new Histogram({
    name: 'event_query_duration_seconds',
    help: 'Time until a query process had answered, waiting for a place included.',
    labelNames: ['kind', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (kind, outcome, durationMs) => durations.observe({ kind, outcome }, durationMs / 1_000);
}
