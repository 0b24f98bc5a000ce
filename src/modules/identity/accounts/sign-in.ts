import type { Static } from '@sinclair/typebox';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import type { LimitName } from '../../../http/limits.ts';
import { addressGroup, addressSite } from '../../../shared/client-address.ts';
import { AppError } from '../../../shared/errors.ts';
import type { SignInAnswer, SignInBody } from '../model/account.ts';
import { readKnownDevice, rememberDevice } from './new-device.ts';
import { callAs, toUser } from './visitor.ts';

type Counter = readonly [LimitName, string];

/** By device where known, so that strangers cannot lock it out. */
function signInCounters(email: string, address: string, device: string | null): readonly Counter[] {
  if (device !== null) return [['signIn', `device ${device}`]];
  const site = addressSite(address);
  return [
    ...(site === null ? [] : [['signInSite', site] as const]),
    ['signIn', addressGroup(address)],
    ['signInAnywhere', email.toLowerCase()],
  ];
}

function isWrongPassword(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'not_signed_in';
}

/** Before the attempt, so that concurrent ones count too. */
async function limited<T>(
  { deps: { rateLimits } }: VisitorContext<'rateLimits'>,
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
    if (!isWrongPassword(thrown)) await giveBack();
    throw thrown;
  }
}

/** better-auth's types leave out the answer of its plugin. */
const needsSecondFactor = (response: object): boolean => 'twoFactorRedirect' in response;

export async function signIn(
  ctx: VisitorContext<'clock' | 'config' | 'identity' | 'log' | 'rateLimits'>,
  { email, password, rememberMe = true }: Static<typeof SignInBody>,
): Promise<WithCookies<SignInAnswer>> {
  const { identity, log } = ctx.deps;
  const signing = { secret: identity.signingSecret, email };
  const device = readKnownDevice(ctx.headers, signing);
  const counters = signInCounters(email, ctx.address, device);
  const { response, headers } = await limited(ctx, counters, () =>
    callAs(ctx, (api, headers) =>
      api.signInEmail({ body: { email, password, rememberMe }, headers, returnHeaders: true }),
    ),
  ).catch((thrown: unknown) => {
    const { requestId, address } = ctx;
    if (isWrongPassword(thrown)) {
      log.info({ audit: 'sign_in_failed', requestId, email, address }, 'sign-in failed');
    }
    throw thrown;
  });
  const cookies = headers.getSetCookie();
  if (needsSecondFactor(response)) return { value: { secondFactorNeeded: true }, cookies };
  const { user } = response;
  return { value: { user: toUser(user) }, cookies: [...cookies, ...rememberDevice(ctx, user)] };
}
