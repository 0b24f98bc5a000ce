import type { Need, UserContext, VisitorContext, WithCookies } from '../../../context.ts';
import { toIso } from '../../../shared/time.ts';
import { type Auth, CLIENT_ADDRESS_HEADER } from '../auth/auth.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { User } from '../model/account.ts';

export type PersonContext<Needs extends Need = Need> = VisitorContext<Needs> & UserContext<Needs>;

/** The only headers passed to better-auth. */
function authHeaders({ headers, address }: VisitorContext<never>): Headers {
  const passed = new Headers({ [CLIENT_ADDRESS_HEADER]: address });
  const cookie = headers.get('cookie');
  if (cookie !== null) passed.set('cookie', cookie);
  const userAgent = headers.get('user-agent')?.slice(0, 256);
  if (userAgent !== undefined) passed.set('user-agent', userAgent);
  return passed;
}

export async function callAs<T>(
  ctx: VisitorContext<'identity'>,
  call: (api: Auth['api'], headers: Headers) => Promise<T>,
): Promise<T> {
  return callAuth(() => call(ctx.deps.identity.auth.api, authHeaders(ctx)));
}

export function toUser(user: { id: string; name: string; email: string; createdAt: Date }): User {
  return { id: user.id, name: user.name, email: user.email, createdAt: toIso(user.createdAt) };
}

export async function sendCookies<T>(
  set: { headers: Record<string, unknown> },
  answer: Promise<WithCookies<T>>,
): Promise<T> {
  const { value, cookies } = await answer;
  if (cookies.length > 0) set.headers['set-cookie'] = cookies;
  return value;
}

export const withCookies =
  <Ctx, Body, T>(act: (ctx: Ctx, body: Body) => Promise<WithCookies<T>>) =>
  async ({ ctx, body, set }: { ctx: Ctx; body: Body; set: { headers: Record<string, unknown> } }) =>
    sendCookies(set, act(ctx, body));
