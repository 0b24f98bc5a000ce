import type { Need, VisitorContext, WithCookies } from '../../../context.ts';
import { toIso } from '../../../shared/time.ts';
import { type Auth, CLIENT_ADDRESS_HEADER } from '../auth/auth.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { User } from '../model/account.ts';

/** A signed-in person, with the headers that better-auth reads their session from. */
export type PersonContext<Needs extends Need = Need> = VisitorContext<Needs> & { userId: string };

/** The headers that better-auth may see: nothing else of a request reaches it. */
function authHeaders({ headers, address }: VisitorContext<never>): Headers {
  const passed = new Headers({ [CLIENT_ADDRESS_HEADER]: address });
  const cookie = headers.get('cookie');
  if (cookie !== null) passed.set('cookie', cookie);
  const userAgent = headers.get('user-agent')?.slice(0, 256);
  if (userAgent !== undefined) passed.set('user-agent', userAgent);
  return passed;
}

/** Calls better-auth's API on behalf of the request; its errors become ours. */
export async function callAs<T>(
  ctx: VisitorContext<'identity'>,
  call: (api: Auth['api'], headers: Headers) => Promise<T>,
): Promise<T> {
  return callAuth(() => call(ctx.deps.identity.auth.api, authHeaders(ctx)));
}

export function toUser(user: { id: string; name: string; email: string; createdAt: Date }): User {
  return { id: user.id, name: user.name, email: user.email, createdAt: toIso(user.createdAt) };
}

/** The value of an answer, its cookies set. */
export async function sendCookies<T>(
  set: { headers: Record<string, unknown> },
  answer: Promise<WithCookies<T>>,
): Promise<T> {
  const { value, cookies } = await answer;
  if (cookies.length > 0) set.headers['set-cookie'] = cookies;
  return value;
}
