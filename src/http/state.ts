import type { Deps } from '../context.ts';
import type { App } from '../shared/app.ts';
import { must } from '../shared/assert.ts';
import { parseExact } from '../shared/exact-json.ts';
import type { Db } from '../storage/postgres.ts';
import { type Access, keepsNumbers } from './access.ts';
import type { Caller } from './authenticate.ts';
import { parseJson } from './body.ts';

export type FindApp = (db: Db, orgId: string, appId: string) => Promise<App | null>;

export type RequestState = {
  deps: Deps;
  findApp: FindApp;
  requestId: string;
  readonly signal: AbortSignal;
  startedAt: Date;
  startedAtMs: number;
  arrivedAtMs: number | null;
  answerHeaders: Record<string, string>;
  peer: string | undefined;
  address: string;
  route: string | null;
  access: Access | null;
  caller: Caller | null;
  sentKey: string | undefined;
  app: App | null;
  rawBody: string;
  /** Once it was asked for. */
  json: { value: unknown } | null;
};

const states = new WeakMap<Request, RequestState>();

export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

export function findState(request: Request): RequestState | undefined {
  return states.get(request);
}

export function requestState(request: Request): RequestState {
  return must(states.get(request), 'every request went through the pipeline');
}

/** Parsed once. Throws `malformed_json`. */
export function bodyJson(state: RequestState): unknown {
  const parse = state.access && keepsNumbers(state.access) ? parseExact : undefined;
  state.json ??= { value: parseJson(state.rawBody, parse) };
  return state.json.value;
}
