import type { MemberContext, UserContext, VisitorContext, WithCookies } from '../context.ts';
import { orgContext, stateOf, userContext } from './state.ts';

/** For account routes that anybody may call. */
export function visitorContext(request: Request): VisitorContext {
  const { deps, requestId, address } = stateOf(request);
  return { deps, requestId, address, headers: request.headers };
}

/** For routes that a signed-in person calls, where better-auth needs their cookie too. */
export function personContext(request: Request): VisitorContext & UserContext {
  return { ...visitorContext(request), ...userContext(request) };
}

/** For routes of a signed-in member acting on their active organization. */
export function memberContext(request: Request): MemberContext {
  const { caller } = stateOf(request);
  if (caller?.kind !== 'session' || caller.role === null) {
    throw new Error('The access table lets others than members call this route.');
  }
  return { ...personContext(request), ...orgContext(request), role: caller.role };
}

type CookieSink = { headers: Record<string, unknown> };

/** The value of an answer, its cookies set. */
export function sendCookies<T>(set: CookieSink, { value, cookies }: WithCookies<T>): T {
  if (cookies.length > 0) set.headers['set-cookie'] = cookies;
  return value;
}
