import type { VisitorContext, WithCookies } from '../../../context.ts';
import type { LimitName } from '../../../http/limits.ts';
import { addressGroup } from '../../../shared/client-address.ts';
import { AppError } from '../../../shared/errors.ts';
import { publicUrlOf } from '../../../shared/own-origin.ts';
import { callAuth } from '../organizations/auth-errors.ts';
import { knownDeviceCookie, readKnownDevice } from './known-device.ts';
import type { User } from './model.ts';
import { authHeaders, toUser } from './visitor.ts';

export type SignInInput = { email: string; password: string; rememberMe?: boolean | undefined };

type Counter = readonly [LimitName, string];

/**
 * What an attempt is counted by: the device, where the account has signed in on it before, so that
 * nobody else can lock it out; otherwise the address, and the account over all addresses.
 */
function countersOf(email: string, address: string, device: string | null): readonly Counter[] {
  if (device !== null) return [['signIn', `device ${device}`]];
  return [
    ['signIn', addressGroup(address)],
    ['signInAnywhere', email.toLowerCase()],
  ];
}

function isWrong(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'not_signed_in';
}

/** Counted before the password is looked at: attempts at the same moment count as well. */
async function counted<T>(
  { deps: { rateLimits } }: VisitorContext,
  counters: readonly Counter[],
  attempt: () => Promise<T>,
): Promise<T> {
  const giveBack = () => Promise.all(counters.map(([name, key]) => rateLimits.giveBack(name, key)));
  for (const [name, key] of counters) await rateLimits.take(name, key);
  try {
    const result = await attempt();
    await giveBack();
    return result;
  } catch (thrown) {
    if (!isWrong(thrown)) await giveBack();
    throw thrown;
  }
}

/**
 * Starts a session. Only failures count against the limits.
 * Throws `not_signed_in`, with the same words for a wrong address and a wrong password.
 */
export async function signIn(
  ctx: VisitorContext,
  { email, password, rememberMe = true }: SignInInput,
): Promise<WithCookies<{ user: User }>> {
  const { config, identity, log } = ctx.deps;
  const signing = { secret: identity.signingSecret, email };
  const device = readKnownDevice(ctx.headers, signing);
  const counters = countersOf(email, ctx.address, device);
  const { response, headers } = await counted(ctx, counters, () =>
    callAuth(() =>
      identity.auth.api.signInEmail({
        body: { email, password, rememberMe },
        headers: authHeaders(ctx),
        returnHeaders: true,
      }),
    ),
  ).catch((thrown: unknown) => {
    const { requestId, address } = ctx;
    if (isWrong(thrown)) {
      log.info({ audit: 'sign_in_failed', requestId, email, address }, 'A sign-in failed');
    }
    throw thrown;
  });
  const cookies = headers.getSetCookie();
  if (device === null) {
    const secure = publicUrlOf(config).startsWith('https:');
    cookies.push(knownDeviceCookie({ ...signing, secure }));
  }
  return { value: { user: toUser(response.user) }, cookies };
}
