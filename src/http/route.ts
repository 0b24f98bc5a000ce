import { Elysia } from 'elysia';
import { invalidInput } from '../shared/errors.ts';
import { type Access, declareAccess } from './access.ts';
import { parseJson, readBody, skipBody } from './body.ts';
import {
  appContext,
  deviceContext,
  memberContext,
  organizationContext,
  personContext,
  visitorContext,
} from './contexts.ts';
import { passGuard } from './guard.ts';
import { secretCheck } from './operator-secrets.ts';
import { type RequestState, stateOf } from './state.ts';
import { countTurnedAway, countUnread } from './turned-away.ts';

/**
 * Every body of the contract is an object; where it is optional, Elysia takes anything else for none.
 * Routes with an error code of their own check the whole body themselves.
 */
function checkedBody(body: unknown, access: Access): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (body === undefined || isObject || access.invalid !== undefined) return body;
  throw invalidInput('body', 'must be an object');
}

/** A repeated parameter has no value that client and service would agree on. */
function checkQuery({ method, url }: Request, access: Access): void {
  const start = url.indexOf('?');
  // Of other methods only routes with a form read their query.
  const isRead = ['GET', 'HEAD', 'DELETE'].includes(method) || access.takesForm;
  if (start === -1 || !isRead) return;
  const seen = new Set<string>();
  for (const [name] of new URLSearchParams(url.slice(start + 1))) {
    if (seen.has(name)) throw invalidInput(name, 'may be given once only');
    seen.add(name);
  }
}

type Arriving = {
  request: Request;
  route: string;
  params: Readonly<Record<string, string | undefined>> | undefined;
  set: { headers: Record<string, string | number | string[] | undefined> };
  body: unknown;
};

/**
 * The hooks of a route with this access: size and media type of the body, the guard and JSON before
 * Elysia validates path, query and body; the context of the caller after it.
 */
function guarded<T>(access: Access, contextOf: (state: RequestState, headers: Headers) => T) {
  // Throws for a secret that nothing checks.
  if (access.secret) secretCheck(access.secret);
  return {
    parse: async ({ request }: Pick<Arriving, 'request'>) => {
      // Without the operator's secret every request is answered alike, whatever its body.
      if (access.secret) return '';
      const state = stateOf(request);
      state.arrivedAtMs = null;
      try {
        state.rawBody = access.takesForm ? await skipBody(request) : await readBody(request);
      } catch (error) {
        await countUnread(state, access, request.headers, error);
        throw error;
      } finally {
        state.arrivedAtMs = performance.now();
      }
      // Elysia takes undefined for "not parsed" and would parse it itself.
      return state.rawBody;
    },
    transform: declareAccess(access, async (context: Arriving) => {
      const { request, route, params, set } = context;
      const state = stateOf(request);
      state.route = route;
      state.access = access;
      try {
        await passGuard(state, access, {
          method: request.method,
          url: request.url,
          headers: request.headers,
          params: params ?? {},
          setHeader: (name, value) => {
            set.headers[name] = value;
          },
        });
        checkQuery(request, access);
        context.body = checkedBody(parseJson(state.rawBody), access);
      } catch (error) {
        countTurnedAway(state, access, error);
        throw error;
      }
    }),
    resolve: ({ request }: Pick<Arriving, 'request'>) => {
      const ctx = contextOf(stateOf(request), request.headers);
      return { ctx };
    },
  };
}

const SESSION = { who: ['session'], limit: 'default' } as const;
const SESSION_OR_KEY = { who: ['session', 'orgKey'], limit: 'default' } as const;

type DeviceRules = Pick<Access, 'limit' | 'invalid' | 'countsRejections' | 'errors'>;

/** `true` where there is nothing to say beyond the macro's name. */
type Rules<Key extends keyof Access = never> =
  | Partial<Pick<Access, Key | 'limit' | 'errors'>>
  | true;

const said = <T extends object>(rules: T | true): Partial<T> => (rules === true ? {} : rules);

/**
 * Who may call a route, said in its options; its handler gets the context of that caller as `ctx`.
 * A route without one of these does not start.
 */
export const access = new Elysia({ name: 'access' }).macro({
  /** Anybody. */
  open: (rules: Rules<'secret' | 'countedBySession' | 'takesForm'>) =>
    guarded({ who: [], scope: 'none', limit: 'none', ...said(rules) }, visitorContext),
  /** A shipped app, by its publishable key. */
  forDevice: (rules: DeviceRules) =>
    guarded({ who: ['device'], scope: 'none', ...rules }, deviceContext),
  /** A signed-in person, with or without an active organization; keys do not serve. */
  forPerson: (rules: Rules) =>
    guarded({ ...SESSION, scope: 'none', ...said(rules) }, personContext),
  /** A signed-in member of the active organization; keys do not serve. */
  forMember: (rules: Rules<'roles' | 'owns'>) =>
    guarded({ ...SESSION, scope: 'organization', ...said(rules) }, memberContext),
  /** The organization of a key, or the active one of a signed-in member. */
  forOrganization: (rules: Rules<'permission' | 'owns' | 'graceMs'>) =>
    guarded({ ...SESSION_OR_KEY, scope: 'organization', ...said(rules) }, organizationContext),
  /** The app `:id` of the caller's organization; `who` leaves out keys where they do not serve. */
  forApp: (rules: Rules<'permission' | 'owns' | 'who'>) =>
    guarded({ ...SESSION_OR_KEY, scope: 'app', ...said(rules) }, appContext),
});
