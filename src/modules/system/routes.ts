import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { isFromThisMachine } from '../../http/host.ts';
import { orgContext, stateOf } from '../../http/state.ts';
import { getMetrics } from './get-metrics.ts';
import { getStatus } from './get-status.ts';
import { Health, SERVICE_NAME, Status } from './model.ts';
import type { Readiness } from './readiness.ts';

export const systemRoutes = (readiness: Readiness) =>
  new Elysia({ detail: { tags: ['System'] } })
    .get(
      '/healthz',
      ({ status }) => {
        const ok = readiness.isReady();
        return status(ok ? 200 : 503, { ok, service: SERVICE_NAME });
      },
      {
        response: { 200: Health, 503: Health },
        detail: { summary: 'Is this process ready to serve?' },
      },
    )
    .get('/v1/status', ({ request }) => getStatus(orgContext(request)), {
      response: { 200: Status },
      detail: { summary: 'The dependencies of the service and what works without them' },
    })
    .get(
      '/metrics',
      async ({ request, set }) => {
        const { deps, peer } = stateOf(request);
        set.headers['content-type'] = 'text/plain; version=0.0.4; charset=utf-8';
        return getMetrics(deps, {
          isLocal: isFromThisMachine(request, peer),
          authorization: request.headers.get('authorization'),
        });
      },
      {
        response: { 200: Type.String() },
        detail: { summary: 'Prometheus metrics (loopback, or with the metrics token)' },
      },
    );
