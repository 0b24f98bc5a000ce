import type {
  AppContext,
  DeviceContext,
  MemberContext,
  OrgContext,
  SelfContext,
  UserContext,
  VisitorContext,
} from '../context.ts';
import { withApp } from '../shared/app.ts';
import { AssertionError, must } from '../shared/assert.ts';
import type { Actor, SessionPrincipal } from '../shared/principal.ts';
import type { Caller } from './authenticate.ts';
import type { RequestState } from './state.ts';

/** `ctx` behind the guard. */

type OpenContext = VisitorContext & {
  peer: string | undefined;
  rawBody: string;
};

type DeviceRequest = DeviceContext & {
  address: string;
  /** Logged verbatim by the event log. */
  rawBody: string;
};

function knownCaller({ caller }: RequestState): Caller {
  return must(caller, 'the guard identified the caller');
}

function toActor(caller: Caller): Actor {
  return caller.kind === 'session'
    ? { kind: 'user', userId: caller.userId }
    : { kind: caller.kind, keyId: caller.keyId };
}

function knownSession(state: RequestState): SessionPrincipal {
  const caller = knownCaller(state);
  if (caller.kind === 'session') return caller;
  throw new AssertionError('The guard let a key call a route of sessions.');
}

export function visitorContext(state: RequestState, headers: Headers): OpenContext {
  const { deps, requestId, address, peer, rawBody } = state;
  return { deps, requestId, address, peer, rawBody, headers };
}

export function deviceContext(state: RequestState): DeviceRequest {
  const { deps, requestId, address, rawBody } = state;
  const caller = knownCaller(state);
  if (caller.kind !== 'device') throw new AssertionError('The guard let another call as a device.');
  const { orgId, appId, keyId, environment, limits } = caller;
  return { deps, requestId, orgId, appId, keyId, environment, limits, address, rawBody };
}

export function flagContext(state: RequestState): DeviceContext {
  const { deps, requestId } = state;
  const caller = knownCaller(state);
  if (caller.kind !== 'flagReader') throw new AssertionError('The guard let another read flags.');
  const { orgId, appId, keyId, environment, limits } = caller;
  return { deps, requestId, orgId, appId, keyId, environment, limits };
}

export function personContext(state: RequestState, headers: Headers): VisitorContext & UserContext {
  const { deps, requestId, address } = state;
  return { deps, requestId, address, headers, userId: knownSession(state).userId };
}

export function selfContext(state: RequestState, headers: Headers): SelfContext {
  const { deps, requestId, address } = state;
  const { userId, onlyOrgId: orgId = null } = knownSession(state);
  return { deps, requestId, address, headers, self: { userId, orgId } };
}

export function organizationContext(state: RequestState): OrgContext {
  const { deps, requestId, signal } = state;
  const caller = knownCaller(state);
  const orgId = must(caller.orgId, 'the guard found the organization of the caller');
  const role = caller.kind === 'session' ? caller.role : null;
  return { deps, requestId, signal, orgId, actor: toActor(caller), role };
}

export function memberContext(state: RequestState, headers: Headers): MemberContext {
  const { onlyOrgId, ...session } = knownSession(state);
  const role = must(session.role, 'a member of an organization has a role in it');
  return { ...personContext(state, headers), ...organizationContext(state), onlyOrgId, role };
}

export function appContext(state: RequestState): AppContext {
  return withApp(organizationContext(state), must(state.app, 'the guard found the app'));
}
