import { Elysia } from 'elysia';
import type { Deps } from '../context.ts';
import { addressGroup, clientAddress } from '../shared/client-address.ts';
import { AppError, invalidInput } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { type Access, accessOf } from './access.ts';
import { parseJson, readBody } from './body.ts';
import { corsHeaders, preflight } from './cors.ts';
import { errorAnswer, toAppError } from './error-response.ts';
import { passGuard } from './guard.ts';
import { checkHost, pathOf } from './host.ts';
import { optionsAnswer, unmatched } from './methods.ts';
import type { PathOwners } from './path-owners.ts';
import { logRequest } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { findState, setState, stateOf } from './state.ts';
import { countTurnedAway, countUnread } from './turned-away.ts';

type SetHeaders = { headers: Record<string, string | number> };

function open(deps: Deps, request: Request, socketAddress: string | undefined): string {
  const requestId = newId('req');
  setState(request, {
    deps,
    requestId,
    startedAt: deps.clock(),
    startedAtMs: performance.now(),
    peer: socketAddress,
    address: clientAddress(request.headers, socketAddress, deps.config.trustProxy),
    route: null,
    access: null,
    caller: null,
    app: null,
    rawBody: '',
  });
  return requestId;
}

/** An unknown thing from Elysia's own faults: no such route, or a body that it could not read. */
function translated(
  thrown: unknown,
  code: string | number,
  request: { method: string; path: string },
): unknown {
  if (thrown instanceof AppError) return thrown;
  // What the body reader throws arrives wrapped in Elysia's own ParseError.
  if (thrown instanceof Error && thrown.cause instanceof AppError) return thrown.cause;
  if (code === 'NOT_FOUND') return unmatched(request.method, request.path);
  if (code === 'PARSE') {
    return new AppError('malformed_json', 'The request body is not valid JSON.', { cause: thrown });
  }
  return thrown;
}

/** Paths that are no routes are counted too, by address; gives the refusal of one too many. */
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

function answerError(deps: Deps, request: Request, set: SetHeaders, thrown: unknown) {
  const state = findState(request);
  const error = toAppError(thrown, state?.access ?? null);
  if (error.code === 'internal') {
    deps.log.error({ err: error.cause, requestId: state?.requestId }, 'A request crashed');
  } else if (error !== thrown && error.code === 'conflict') {
    // Expected under load, a fault of ours when it comes again and again.
    deps.log.warn({ err: error.cause, requestId: state?.requestId }, 'A request lost a race');
  }
  const { status, headers, body } = errorAnswer(error);
  // The route may have said already that its answer is text.
  Object.assign(set.headers, headers, { 'content-type': 'application/json' });
  return { status, body, error };
}

/**
 * Every body of the contract is an object. Elysia takes anything else for "no body" where one may
 * be left out. Routes with an error code of their own look at the whole body themselves.
 */
function checkedBody(body: unknown, access: Access): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (body === undefined || isObject || access.invalid !== undefined) return body;
  throw invalidInput('body', 'must be an object');
}

/** A parameter that is there twice has no value that both sides would agree on. */
function checkQuery({ method, url }: Request): void {
  const start = url.indexOf('?');
  // No other method has a route that reads its query.
  if (start === -1 || !['GET', 'HEAD', 'DELETE'].includes(method)) return;
  const seen = new Set<string>();
  for (const [name] of new URLSearchParams(url.slice(start + 1))) {
    if (seen.has(name)) throw invalidInput(name, 'may be given once only');
    seen.add(name);
  }
}

/**
 * What every request goes through before its handler, in the order of the design (§4): size and
 * media type, the guard, JSON, then Elysia's own validation of path, query and body.
 */
export function pipeline(deps: Deps, owners: PathOwners) {
  const standing = { ...securityHeaders(deps.config), 'cache-control': 'no-store' };
  return new Elysia({ name: 'pipeline' })
    .onRequest(({ request, server, set }) => {
      const requestId = open(deps, request, server?.requestIP(request)?.address);
      Object.assign(set.headers, standing, { 'x-request-id': requestId });
      checkHost(request);
      const path = pathOf(request.url);
      Object.assign(set.headers, corsHeaders(deps, request, path));
      if (request.method !== 'OPTIONS') return undefined;
      const answer = preflight(deps, request, path) ?? optionsAnswer(path);
      for (const [name, value] of Object.entries(standing)) answer?.headers.set(name, value);
      answer?.headers.set('x-request-id', requestId);
      return answer ?? undefined;
    })
    .onParse({ as: 'global' }, async ({ request, route: pattern }) => {
      const state = stateOf(request);
      // Without the route's own secret every request is answered alike, whatever its body.
      const access = accessOf(request.method, pattern);
      if (access?.secret) return '';
      // What shipped apps send is taken as far as it can be read.
      const lenient = access?.who.includes('device') ?? true;
      try {
        state.rawBody = await readBody(request, { lenient });
      } catch (error) {
        const route = `${request.method} ${pathOf(request.url)}`;
        await countUnread(state, route, request.headers, error);
        throw error;
      }
      // Elysia takes undefined for "not parsed" and would parse it itself.
      return state.rawBody;
    })
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route, params, set } = context;
      const state = stateOf(request);
      // HEAD is GET without the body, in everything but what it leaves behind.
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const access = accessOf(method, route);
      if (!access) throw new Error(`${method} ${route} is not in the access table.`);
      state.route = route;
      state.access = access;
      try {
        await passGuard(state, access, owners, {
          method: request.method,
          headers: request.headers,
          params: params ?? {},
          setHeader: (name, value) => {
            set.headers[name] = value;
          },
        });
        checkQuery(request);
        context.body = checkedBody(parseJson(state.rawBody), access);
      } catch (error) {
        countTurnedAway(state, `${method} ${route}`, error);
        throw error;
      }
    })
    .onAfterHandle({ as: 'global' }, ({ responseValue }) =>
      // Elysia sends nothing for null; here null is an answer ("no connection", "not signed in").
      responseValue === null ? Response.json(null) : undefined,
    )
    .onError({ as: 'global' }, async ({ request, set, error, code, path }) => {
      const { method } = request;
      const thrown = translated(error, code, { method, path });
      const refusal = await countUnmatched(request, path);
      const answer = answerError(deps, request, set, refusal ?? thrown);
      set.status = answer.status;
      logRequest(deps, request, answer.status, answer.error);
      return answer.body;
    })
    .onAfterResponse({ as: 'global' }, ({ request, set }) => {
      logRequest(deps, request, Number(set.status ?? 200), null);
    });
}
