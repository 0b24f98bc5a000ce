import type { Deps } from '../context.ts';
import { type AppError, errorMessage } from '../shared/errors.ts';
import { OncePerMinute } from '../shared/once-per-minute.ts';
import { findState } from './state.ts';

/** Thousands a minute; metrics count their successes. */
const PROBES = new Set(['/healthz', '/metrics']);
/** Every client of an app retries a refused batch. */
const REFUSED_EVENTS = new OncePerMinute();
/** nginx's code for a client that closed the connection. */
const CALLER_LEFT = 499;
const logged = new WeakSet<Request>();

export function logRequest(
  deps: Pick<Deps, 'log' | 'metrics' | 'telemetry'>,
  request: Request,
  answered: number,
  failure: AppError | null,
): void {
  if (logged.has(request)) return;
  logged.add(request);
  const state = findState(request);
  if (!state) return;
  const hasLeft = answered >= 500 && request.signal.aborted;
  const [status, error] = hasLeft ? [CALLER_LEFT, null] : [answered, failure];
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
    appId: state.app?.id ?? (caller && 'appId' in caller ? caller.appId : null),
    ...(error && { code: error.code, hint: error.hint }),
  };
  write(deps, { ...event, isBatch: state.access?.countsRejections === true }, error);
  const route = state.route ?? 'unmatched';
  deps.metrics.observeRequest(request.method, route, status, durationMs);
  deps.telemetry.recordRequest({ ...event, route, startedAt: state.startedAt });
}

type RequestEvent = { route: string | null; status: number; code?: string; isBatch: boolean };

function write(
  deps: Pick<Deps, 'log'>,
  { isBatch, ...event }: RequestEvent,
  error: AppError | null,
): void {
  const { log } = deps;
  const { route, status } = event;
  const isQuiet = route !== null && (PROBES.has(route) || (isBatch && status < 400));
  if (isBatch && error?.code === 'unavailable') {
    log.debug(event, 'request');
    reportRefusal(deps, error);
  } else if (isQuiet) log.debug(event, 'request');
  else if (error && status >= 500) log.error({ ...event, err: error.cause ?? error }, 'request');
  else log.info(event, 'request');
}

function reportRefusal({ log }: Pick<Deps, 'log'>, error: AppError): void {
  const unsaid = REFUSED_EVENTS.take(error.message, performance.now());
  if (unsaid === null) return;
  const reason = errorMessage(error.cause ?? error.hint ?? error);
  log.error({ reason, refusedBefore: unsaid }, `batch of events refused: ${error.message}`);
}
