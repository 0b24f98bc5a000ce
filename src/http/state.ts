import type {
  AppContext,
  Deps,
  DeviceContext,
  OrgContext,
  SystemContext,
  UserContext,
} from '../context.ts';
import type { App } from '../shared/app.ts';
import { addressGroup } from '../shared/client-address.ts';
import type { Actor, KnownDevice, SessionPrincipal } from '../shared/principal.ts';
import type { Access } from './access.ts';
import type { Caller } from './authenticate.ts';

/** What the guard found out about a request on its way to the handler. */
export type RequestState = {
  deps: Deps;
  requestId: string;
  startedAt: Date;
  startedAtMs: number;
  /** The address at the other end of the connection; unknown where there is none. */
  peer: string | undefined;
  /** The caller's address, as far as the proxies in front can be trusted. */
  address: string;
  /** Null until a route matched. */
  route: string | null;
  access: Access | null;
  caller: Caller | null;
  app: App | null;
  /** The body as it was sent; the event log stores it unchanged. */
  rawBody: string;
};

const states = new WeakMap<Request, RequestState>();

export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

export function findState(request: Request): RequestState | undefined {
  return states.get(request);
}

/** The state of a request that the guard let through. */
export function stateOf(request: Request): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('This request did not pass the guard.');
  return state;
}

function wrongRoute(needed: string): Error {
  return new Error(`The access table gives this route no ${needed}.`);
}

function actorOf(caller: Caller): Actor {
  switch (caller.kind) {
    case 'session':
      return { kind: 'user', userId: caller.userId };
    case 'orgKey':
      return { kind: 'orgKey', keyId: caller.keyId };
    case 'device':
      return { kind: 'device', keyId: caller.keyId };
  }
}

export function systemContext(request: Request): SystemContext {
  const { deps, requestId } = stateOf(request);
  return { deps, requestId };
}

/** What the sender of a request is counted by: their address, or the network that is theirs. */
export function callerAddress(request: Request): string {
  return addressGroup(stateOf(request).address);
}

/** For routes of scope `organization` and `app`. */
export function orgContext(request: Request): OrgContext {
  const { deps, requestId, caller } = stateOf(request);
  if (!caller || caller.orgId === null) throw wrongRoute('organization');
  return { deps, requestId, orgId: caller.orgId, actor: actorOf(caller) };
}

/** For routes of scope `app`: the app belongs to the caller's organization. */
export function appContext(request: Request): AppContext {
  const { app } = stateOf(request);
  if (!app) throw wrongRoute('app');
  return { ...orgContext(request), app };
}

function device(caller: Caller | null): KnownDevice {
  if (caller?.kind !== 'device') throw wrongRoute('publishable key');
  return caller;
}

/** For device routes. */
export function deviceContext(request: Request): DeviceContext {
  const { deps, requestId, caller } = stateOf(request);
  const { orgId, appId, keyId, environment, limits } = device(caller);
  return { deps, requestId, orgId, appId, keyId, environment, limits };
}

function session(caller: Caller | null): SessionPrincipal {
  if (caller?.kind !== 'session') throw wrongRoute('session');
  return caller;
}

/** For routes that a signed-in person calls, with or without an active organization. */
export function userContext(request: Request): UserContext {
  const { deps, requestId, caller } = stateOf(request);
  return { deps, requestId, userId: session(caller).userId };
}
