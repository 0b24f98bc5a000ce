import { Type } from '@sinclair/typebox';
import type { Deps } from '../../context.ts';
import { taggedRoutes } from '../../http/route.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { toArrival } from './arrival.ts';
import { getMetrics } from './get-metrics.ts';
import { type Examined, getStatus } from './get-status.ts';
import { type Arrival, DoctorReport, Health, SERVICE_NAME, Status } from './model.ts';
import type { Readiness } from './readiness.ts';

/** During an outage of the database, callers verified this recently are served. */
const STATUS_GRACE_MS = 10 * MINUTE_MS;

type Examine = (deps: Pick<Deps, Examined>, arrival: Arrival | null) => Promise<DoctorReport>;

export const systemRoutes = (readiness: Readiness, examine: Examine) =>
  taggedRoutes('System', '')
    .get(
      '/healthz',
      ({ status }) => {
        const ok = readiness.isReady();
        return status(ok ? 200 : 503, { ok, service: SERVICE_NAME });
      },
      {
        open: true,
        response: { 200: Health, 503: Health },
        detail: {
          operationId: 'getHealth',
          summary: 'Is this process ready to serve?',
          description: 'For load balancers and supervisors: 503 while the process starts or stops.',
        },
      },
    )
    .get('/v1/status', ({ ctx }) => getStatus(ctx), {
      forOrganization: { graceMs: STATUS_GRACE_MS },
      response: { 200: Status },
      detail: {
        operationId: 'getStatus',
        summary: 'The dependencies of the service and what works without them',
        description:
          'Each dependency with what its absence means for callers. Events are taken even where another dependency is away.',
      },
    })
    .get(
      '/metrics',
      async ({ ctx, set }) => {
        set.headers['content-type'] = 'text/plain; version=0.0.4; charset=utf-8';
        return getMetrics(ctx.deps);
      },
      {
        open: { secret: 'metricsToken', errors: ['not_found'] },
        response: { 200: Type.String() },
        detail: {
          operationId: 'getMetrics',
          summary: 'Prometheus metrics (loopback, or with the metrics token)',
          description:
            'In the text format of Prometheus. To everybody else the path does not exist.',
        },
      },
    )
    .get('/doctor', ({ ctx, request }) => examine(ctx.deps, toArrival(request.headers, ctx.peer)), {
      open: { secret: 'metricsToken', errors: ['not_found'] },
      response: { 200: DoctorReport },
      detail: {
        operationId: 'getDoctor',
        summary: 'Check the installation (loopback, or with the metrics token)',
        description:
          'Checks everything that an operator sets up, and what this request went through, as `bun run doctor` does. It writes an object into the buckets and deletes it. To everybody else the path does not exist.',
      },
    });
