import type { Deps } from '../deps.ts';
import type { AppError } from '../shared/errors.ts';
import { findState } from './state.ts';

/** Asked thousands of times a minute; their successes are in the metrics. */
const QUIET_ROUTES = new Set(['/v1/events', '/healthz', '/metrics']);
const logged = new WeakSet<Request>();

/** One wide event for each request: who did what, how it ended, how long it took. */
export function logRequest(
  deps: Deps,
  request: Request,
  status: number,
  error: AppError | null,
): void {
  if (logged.has(request)) return;
  logged.add(request);
  const state = findState(request);
  if (!state) return;
  const durationMs = Math.round((performance.now() - state.startedAtMs) * 10) / 10;
  const { caller } = state;
  const event = {
    requestId: state.requestId,
    method: request.method,
    route: state.route,
    status,
    durationMs,
    address: state.address,
    caller: caller?.kind ?? null,
    userId: caller?.kind === 'session' ? caller.userId : null,
    keyId: caller && caller.kind !== 'session' ? caller.keyId : null,
    orgId: caller?.orgId ?? null,
    appId: state.app?.id ?? (caller?.kind === 'device' ? caller.appId : null),
    ...(error && { code: error.code, hint: error.hint }),
  };
  if (error && status >= 500) deps.log.error({ ...event, err: error.cause ?? error }, 'request');
  else if (QUIET_ROUTES.has(event.route ?? '') && status < 400) deps.log.debug(event, 'request');
  else deps.log.info(event, 'request');
  const route = state.route ?? 'unmatched';
  deps.metrics.observeRequest(request.method, route, status, durationMs);
  deps.telemetry.recordRequest({ ...event, route, startedAt: state.startedAt });
}
