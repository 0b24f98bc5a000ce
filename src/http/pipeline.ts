import { Elysia } from 'elysia';
import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { addressGroup, clientAddress } from '../shared/client-address.ts';
import { AppError, noSuchRoute } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { endAudit, inAuditHolder } from '../storage/audit.ts';
import type { AccessTable, OtherClients, Protocol } from './access.ts';
import { createCors } from './cors.ts';
import { errorAnswer, foreignBody, toAppError } from './error-response.ts';
import { checkHost, rawPath } from './host.ts';
import { RateLimited } from './limits.ts';
import { createFindMethods, createIsCut, optionsAnswer, unmatched } from './methods.ts';
import { logRequest } from './request-log.ts';
import { type FindApp, findState, requestState, setState } from './state.ts';

type SetHeaders = { headers: Record<string, string | number> };

type Services = { deps: Deps; findApp: FindApp; isHeld: () => boolean };

const ANSWERED_ALWAYS = ['/healthz', '/metrics', '/v1/status'];

const heldBack = () =>
  new AppError('unavailable', 'A backup was restored, and people erased since are back.', {
    hint: 'The operator settles that first: "bun run admin restore settle".',
    retryAfterSeconds: 60,
  });

function open(
  { deps, findApp }: Pick<Services, 'deps' | 'findApp'>,
  request: Request,
  socketAddress: string | undefined,
): string {
  const requestId = newId('req');
  setState(request, {
    deps,
    findApp,
    requestId,
    // Lazy: event batches need none.
    get signal() {
      return request.signal;
    },
    startedAt: deps.clock(),
    startedAtMs: performance.now(),
    arrivedAtMs: performance.now(),
    answerHeaders: {},
    peer: socketAddress,
    address: clientAddress(request.headers, socketAddress, deps.config.trustProxy),
    route: null,
    access: null,
    caller: null,
    sentKey: undefined,
    app: null,
    rawBody: '',
    json: null,
  });
  return requestId;
}

function translated(thrown: unknown, code: string | number, noRoute: () => AppError): unknown {
  if (thrown instanceof AppError) return thrown;
  // Elysia wraps reader errors in ParseError.
  if (thrown instanceof Error && thrown.cause instanceof AppError) return thrown.cause;
  if (code === 'NOT_FOUND') return noRoute();
  if (code === 'PARSE') {
    return new AppError('malformed_json', 'The request body is not valid JSON.', { cause: thrown });
  }
  return thrown;
}

async function countUnmatched(request: Request, path: string): Promise<unknown> {
  const state = findState(request);
  if (!state || state.route !== null || !path.startsWith('/v1/')) return undefined;
  try {
    await state.deps.rateLimits.take('default', addressGroup(state.address));
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

function inProtocol(error: AppError, protocol: Protocol | undefined): AppError {
  if (!protocol?.retriesAt503 || !(error instanceof RateLimited)) return error;
  const { message, hint, retryAfterSeconds } = error;
  return new AppError('unavailable', message, { hint, retryAfterSeconds });
}

function answerError(deps: Pick<Deps, 'log'>, request: Request, set: SetHeaders, thrown: unknown) {
  const state = findState(request);
  const access = state?.access ?? null;
  const error = inProtocol(toAppError(thrown, access), access?.protocol);
  if (error.code === 'internal') {
    deps.log.error({ err: error.cause, requestId: state?.requestId }, 'request crashed');
  } else if (error !== thrown && error.code === 'conflict') {
    deps.log.warn({ err: error.cause, requestId: state?.requestId }, 'request lost a race');
  }
  const { status, headers, body } = errorAnswer(error);
  // Overrides a content type the route already set.
  Object.assign(set.headers, headers, { 'content-type': 'application/json' });
  return { status, body, error };
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  const isHttps = publicUrl?.startsWith('https:') ?? false;
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(isHttps && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}

export function pipeline(services: Services, access: AccessTable, others?: OtherClients) {
  const { deps } = services;
  const fixedHeaders = { ...securityHeaders(deps.config), 'cache-control': 'no-store' };
  const cors = createCors(deps, access);
  const methodsOf = createFindMethods(access);
  const isCut = createIsCut(access);
  return new Elysia({ name: 'pipeline' })
    .wrap(
      (answer) =>
        (...given: unknown[]) =>
          inAuditHolder(() => answer(...given)),
    )
    .onRequest(({ request, server, set }) => {
      const requestId = open(services, request, server?.requestIP(request)?.address);
      Object.assign(set.headers, fixedHeaders, { 'x-request-id': requestId });
      checkHost(request);
      const path = rawPath(request.url);
      Object.assign(set.headers, cors.headersOf(request, path));
      Object.assign(requestState(request).answerHeaders, set.headers);
      if (services.isHeld() && !ANSWERED_ALWAYS.includes(path)) throw heldBack();
      if (isCut(request.method, path)) throw noSuchRoute(others?.hint);
      if (request.method !== 'OPTIONS') return undefined;
      const answer = cors.preflight(request, path) ?? optionsAnswer(methodsOf(path));
      for (const [name, value] of Object.entries(fixedHeaders)) answer?.headers.set(name, value);
      answer?.headers.set('x-request-id', requestId);
      return answer ?? undefined;
    })
    .onAfterHandle({ as: 'global' }, ({ responseValue }) =>
      // Elysia drops null, an answer here.
      responseValue === null ? Response.json(null) : undefined,
    )
    .onError({ as: 'global' }, async ({ request, set, error, code, path }) => {
      await endAudit(null);
      const thrown = translated(error, code, () =>
        unmatched(request.method, methodsOf(path), others?.hint),
      );
      const refusal = await countUnmatched(request, path);
      const answer = answerError(deps, request, set, refusal ?? thrown);
      set.status = answer.status;
      logRequest(deps, request, answer.status, answer.error);
      const access = findState(request)?.access;
      const { errorBody } = (access ? access.protocol : others?.protocolOf(path)) ?? {};
      return errorBody ? foreignBody(errorBody, { ...answer, path }) : answer.body;
    })
    .onAfterResponse({ as: 'global' }, ({ request, set }) => {
      logRequest(deps, request, Number(set.status ?? 200), null);
    });
}
