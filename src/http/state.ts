import type { Deps } from '../context.ts';
import type { App } from '../shared/app.ts';
import { must } from '../shared/assert.ts';
import type { Db } from '../storage/postgres.ts';
import type { Access } from './access.ts';
import type { Caller } from './authenticate.ts';

/** The app of this organization, or null. */
export type FindApp = (db: Db, orgId: string, appId: string) => Promise<App | null>;

/** What the guard found out about a request on its way to the handler. */
export type RequestState = {
  deps: Deps;
  findApp: FindApp;
  requestId: string;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
  startedAt: Date;
  startedAtMs: number;
  /** When its last byte was read; null while the body is under way. */
  arrivedAtMs: number | null;
  /** Of every answer to this request. */
  answerHeaders: Record<string, string>;
  /** The address at the other end of the connection; unknown where there is none. */
  peer: string | undefined;
  /** The caller's address, as far as the proxies in front can be trusted. */
  address: string;
  /** Null until a route matched. */
  route: string | null;
  access: Access | null;
  caller: Caller | null;
  app: App | null;
  /** The body as it was sent. */
  rawBody: string;
};

const states = new WeakMap<Request, RequestState>();

export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

export function findState(request: Request): RequestState | undefined {
  return states.get(request);
}

export function stateOf(request: Request): RequestState {
  return must(states.get(request), 'every request went through the pipeline');
}
