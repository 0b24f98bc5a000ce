import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { QueryClientOptions } from './client.ts';
import { QUERY_FAILURES } from './failure/failure.ts';
import { LANES } from './schedule/places.ts';
import type { Schedules, SchedulesOptions } from './schedule/schedules.ts';

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

export function countForms(registry: Registry): NonNullable<QueryClientOptions['onForm']> {
  const forms = new Counter({
    name: 'event_query_forms_total',
    help: 'Questions about events that were counted, by what from.',
    labelNames: ['kind', 'form'],
    registers: [registry],
  });
  return (kind, form) => forms.inc({ kind, form });
}

export function countSeconds(registry: Registry): NonNullable<SchedulesOptions['onSeconds']> {
  const seconds = new Counter({
    name: 'question_place_seconds_total',
    help: 'Seconds that questions had places.',
    labelNames: ['kind', 'lane'],
    registers: [registry],
  });
  return (kind, lane, took) => seconds.inc({ kind, lane }, took);
}

export function registerSchedules(registry: Registry, schedules: Schedules): void {
  new Gauge({
    name: 'event_queries_waiting',
    help: 'Questions about events that wait for a place.',
    registers: [registry],
    collect() {
      this.set(schedules.reports.places.waiting.size + schedules.lake.places.waiting.size);
    },
  });
  new Gauge({
    name: 'questions_waiting',
    help: 'Questions that wait for a place.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, { places }] of Object.entries(schedules)) {
        this.set({ kind }, places.waiting.size);
      }
    },
  });
  new Gauge({
    name: 'question_places_used',
    help: 'Places that questions have now.',
    labelNames: ['kind', 'lane'],
    registers: [registry],
    collect() {
      for (const [kind, { places }] of Object.entries(schedules)) {
        for (const lane of LANES) this.set({ kind, lane }, places.used(lane));
      }
    },
  });
}

export const lakeQueryMetrics = (registry: Registry): OnDone =>
  createDurations(
    registry,
    'lake_query_duration_seconds',
    "Time until the lake's engine had answered, waiting for a place included.",
  );
