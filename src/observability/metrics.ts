import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20];

/** At the usual 10 ms, most of what an idle process does. */
const LAG_EVERY_MS = 100;

/** Start at 0, so that alerts see the first increase. */
const REFUSAL_REASONS = ['invalid_batch', 'invalid_event', 'daily_cap', 'unavailable'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
const LEFT_OUT = ['group', 'replay', 'autocapture', 'heatmap', 'internal'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
const FIELD_PLACES = ['batch', 'event', 'context'] as const;

/** Chapters register their own on `registry`. */
export type Metrics = {
  registry: Registry;
  observeRequest: (method: string, route: string, status: number, durationMs: number) => void;
  /** 1 while the dependency answers, else 0. */
  setDependency: (name: string, up: boolean) => void;
  countAccepted: (events: number) => void;
  countRefused: (reason: RefusalReason, events: number) => void;
  /** By where the field stands. */
  countIgnoredFields: (counts: Readonly<Record<(typeof FIELD_PLACES)[number], number>>) => void;
  countLeftOut: (kind: LeftOut) => void;
  countDroppedLog: () => void;
};

export function createProcessMetrics(role: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  return registry;
}

export function createMetrics(role: string): Metrics {
  const registry = createProcessMetrics(role);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'http_server_errors_total',
    help: 'Requests that were answered with a 5xx status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  // Prometheus sees no increase from absence.
  const internal = new Counter({
    name: 'http_internal_errors_total',
    help: 'Requests that were answered with 500.',
    registers: [registry],
  });
  const dependencies = new Gauge({
    name: 'dependency_up',
    help: '1 while the dependency answers.',
    labelNames: ['dependency'],
    registers: [registry],
  });
  const accepted = new Counter({
    name: 'events_accepted_total',
    help: 'Events that were answered with 202.',
    registers: [registry],
  });
  const refused = new Counter({
    name: 'events_refused_total',
    help: 'Events of rejected batches; one for a batch that could not be read.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const ignoredFields = new Counter({
    name: 'event_fields_ignored_total',
    help: 'Fields of accepted batches that no rule knows, by where they stand.',
    labelNames: ['place'],
    registers: [registry],
  });
  const leftOut = new Counter({
    name: 'intake_left_out_total',
    help: "Messages of other products' clients that are answered and not kept, by kind.",
    labelNames: ['kind'],
    registers: [registry],
  });
  const droppedLogs = new Counter({
    name: 'log_entries_dropped_total',
    help: 'Log entries of apps lost before they could be stored.',
    registers: [registry],
  });
  for (const reason of REFUSAL_REASONS) refused.inc({ reason }, 0);
  for (const place of FIELD_PLACES) ignoredFields.inc({ place }, 0);
  for (const kind of LEFT_OUT) leftOut.inc({ kind }, 0);
  return {
    registry,
    countLeftOut: (kind) => leftOut.inc({ kind }),
    countDroppedLog: () => droppedLogs.inc(),
    countAccepted: (events) => accepted.inc(events),
    countRefused: (reason, events) => refused.inc({ reason }, events),
    countIgnoredFields: (counts) => {
      for (const place of FIELD_PLACES)
        if (counts[place] > 0) ignoredFields.inc({ place }, counts[place]);
    },
    observeRequest: (method, route, status, durationMs) => {
      requests.observe({ method, route, status: String(status) }, durationMs / 1_000);
      if (status === 500) internal.inc();
      if (status >= 500) errors.inc({ route, status: String(status) });
    },
    setDependency: (name, up) => dependencies.set({ dependency: name }, up ? 1 : 0),
  };
}
