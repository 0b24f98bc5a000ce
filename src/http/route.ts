import { Elysia } from 'elysia';
import { invalidInput } from '../shared/errors.ts';
import { addressGroup } from '../shared/client-address.ts';
import { isRecord } from '../shared/record.ts';
import { endAudit } from '../storage/audit.ts';
import { type Access, declareAccess, isIntake } from './access.ts';
import { auditRequest } from './audited.ts';
import { expectedBytes, parseForm, readBody, readForm, skipBody } from './body.ts';
import {
  appContext,
  deviceContext,
  flagContext,
  memberContext,
  organizationContext,
  personContext,
  selfContext,
  visitorContext,
} from './contexts.ts';
import { passGuard } from './guard.ts';
import { readIntake } from './intake.ts';
import type { Tag } from './openapi-components.ts';
import { secretCheck } from './operator-secrets.ts';
import { bodyJson, type RequestState, requestState } from './state.ts';
import { countTurnedAway, countUnread } from './turned-away.ts';
import { waiting } from './waiting-bodies.ts';

/** Elysia treats non-objects as absent where optional. */
function checkedBody(body: unknown, access: Access): unknown {
  if (body === undefined || isRecord(body) || access.invalid !== undefined) return body;
  throw invalidInput('body', 'must be an object');
}

function checkQuery({ method, url }: Request, access: Access): void {
  const start = url.indexOf('?');
  // Other methods read their query only with a form.
  const isRead = ['GET', 'HEAD', 'DELETE'].includes(method) || access.protocol?.form === 'skipped';
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

const READERS = { read: readForm, skipped: skipBody, none: readBody };

/** Guard and JSON before validation. */
function guarded<T>(access: Access, contextOf: (state: RequestState, headers: Headers) => T) {
  // Throws for a secret that nothing checks.
  if (access.secret) secretCheck(access.secret);
  return {
    parse: async ({ request }: Pick<Arriving, 'request'>) => {
      // Identical answers without the operator's secret, whatever the body.
      if (access.secret || isIntake(access)) return '';
      const state = requestState(request);
      state.arrivedAtMs = null;
      try {
        state.rawBody = await waiting.during(
          addressGroup(state.address),
          expectedBytes(request),
          () => READERS[access.protocol?.form ?? 'none'](request),
        );
      } catch (error) {
        await countUnread(state, access, request.headers, error);
        throw error;
      } finally {
        state.arrivedAtMs = performance.now();
      }
      // Elysia would parse again on undefined.
      return state.rawBody;
    },
    transform: declareAccess(access, async (context: Arriving) => {
      const { request, route, params, set } = context;
      const state = requestState(request);
      state.route = route;
      state.access = access;
      try {
        const guard = () =>
          passGuard(state, access, {
            method: request.method,
            url: request.url,
            headers: request.headers,
            params: params ?? {},
            setHeader: (name, value) => {
              set.headers[name] = value;
            },
          });
        if (isIntake(access)) await readIntake({ state, access, request, passGuard: guard });
        else await guard();
        checkQuery(request, access);
        const body = access.protocol?.form === 'read' ? parseForm(state.rawBody) : bodyJson(state);
        context.body = checkedBody(body, access);
      } catch (error) {
        countTurnedAway(state, access, error);
        throw error;
      }
    }),
    resolve: ({ request }: Pick<Arriving, 'request'>) => {
      auditRequest(requestState(request), access, request);
      const ctx = contextOf(requestState(request), request.headers);
      return { ctx };
    },
    afterHandle: async ({ request }: Pick<Arriving, 'request'>) => {
      await endAudit(requestState(request).deps.sql);
    },
  };
}

const SESSION = { who: ['session'], limit: 'default' } as const;
const SESSION_OR_KEY = { who: ['session', 'orgKey'], limit: 'default' } as const;

type DeviceRules = Pick<
  Access,
  'limit' | 'invalid' | 'countsRejections' | 'errors' | 'hasEtag' | 'protocol'
>;

type Rules<Key extends keyof Access = never> =
  | Partial<Pick<Access, Key | 'limit' | 'errors'>>
  | true;

const options = <T extends object>(rules: T | true): Partial<T> => (rules === true ? {} : rules);

/** A route without one does not start. */
export const access = new Elysia({ name: 'access' }).macro({
  open: (rules: Rules<'secret' | 'countedBySession' | 'protocol'>) =>
    guarded({ who: [], scope: 'none', limit: 'none', ...options(rules) }, visitorContext),
  forDevice: (rules: DeviceRules) =>
    guarded({ who: ['device'], scope: 'none', ...rules }, deviceContext),
  /** OFREP. */
  forFlagReader: (rules: Rules<'hasEtag' | 'protocol'>) =>
    guarded({ who: ['flagKey'], scope: 'none', limit: 'flags', ...options(rules) }, flagContext),
  /** Session only; active organization optional. */
  forPerson: (rules: Rules) =>
    guarded({ ...SESSION, scope: 'none', rows: 'account', ...options(rules) }, personContext),
  /** Likewise, within what the session opens. */
  forSelf: (rules: Rules) =>
    guarded({ ...SESSION, scope: 'none', rows: 'self', ...options(rules) }, selfContext),
  forMember: (rules: Rules<'roles' | 'owns'>) =>
    guarded({ ...SESSION, scope: 'organization', ...options(rules) }, memberContext),
  forOrganization: (rules: Rules<'permission' | 'owns' | 'graceMs' | 'cutsAnswers' | 'protocol'>) =>
    guarded({ ...SESSION_OR_KEY, scope: 'organization', ...options(rules) }, organizationContext),
  /** `:id` in the caller's organization; `who` may exclude keys. */
  forApp: (rules: Rules<'permission' | 'owns' | 'who'>) =>
    guarded({ ...SESSION_OR_KEY, scope: 'app', ...options(rules) }, appContext),
});

/** A chapter's part of the API; each of its routes needs an access macro. */
export const taggedRoutes = <const Prefix extends string>(tag: Tag, prefix: Prefix) =>
  new Elysia({ prefix, detail: { tags: [tag] } }).use(access);
