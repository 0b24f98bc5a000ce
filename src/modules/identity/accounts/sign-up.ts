import type { Static } from '@sinclair/typebox';
import type { SystemContext, VisitorContext, WithCookies } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { withLock } from '../../../storage/locks.ts';
import { addressTaken } from '../auth/auth-errors.ts';
import { withHashAhead } from '../auth/password-hashing.ts';
import { together } from '../auth/together.ts';
import type { SignUpBody, User } from '../model/account.ts';
import { checkFirstAccount } from './first-account.ts';
import { findOpenInvitation } from './invitations-queries.ts';
import { refuseKnownPassword } from './known-passwords.ts';
import { knownDeviceCookie } from './new-device.ts';
import * as queries from './queries.ts';
import { callAs, toUser } from './visitor.ts';

type SignUp = Static<typeof SignUpBody>;

type SignUpAllowed = { addressProved: boolean };

async function readInvitationFor(
  { deps }: SystemContext<'clock' | 'sql'>,
  { email, invitationId: secret }: SignUp,
): Promise<SignUpAllowed | null> {
  if (secret === undefined) return null;
  const now = deps.clock();
  const invitation = await findOpenInvitation(deps.sql, { secret, email, now });
  if (invitation) return { addressProved: invitation.secretMailed };
  const isByOperator = await queries.isSignUpInvitation(deps.sql, { token: secret, email, now });
  return isByOperator ? { addressProved: true } : null;
}

/** One message for a wrong invitation and none. */
async function checkSignUp(
  ctx: SystemContext<'clock' | 'config' | 'sql'>,
  request: SignUp,
  isLocal: boolean,
): Promise<SignUpAllowed> {
  const policy = ctx.deps.config.signUp;
  if (!(await queries.isAnybodySignedUp(ctx.deps.sql))) {
    checkFirstAccount(ctx, { isLocal, code: request.firstAccountCode });
    return { addressProved: true };
  }
  const allowed = policy === 'closed' ? null : await readInvitationFor(ctx, request);
  if (allowed) return allowed;
  if (policy === 'open') return { addressProved: false };
  throw new AppError('permission_denied', 'You cannot make an account here.', {
    hint:
      policy === 'closed'
        ? 'Sign-up is closed: ask whoever runs this service.'
        : 'invitationId: must be that of an open invitation to this address',
  });
}

/** better-auth hides why an insert failed. */
async function orAddressTaken(
  { deps: { sql } }: VisitorContext<'sql'>,
  email: string,
  thrown: unknown,
): Promise<never> {
  const mayBeTaken = thrown instanceof AppError && thrown.code === 'unavailable';
  if (mayBeTaken && (await queries.findUserByEmail(sql, email))) throw addressTaken(thrown);
  throw thrown;
}

async function createAccount(
  ctx: VisitorContext<'clock' | 'config' | 'identity' | 'sql'>,
  input: SignUp,
  isLocal: boolean,
) {
  const { addressProved } = await checkSignUp(ctx, input, isLocal);
  refuseKnownPassword('password', input.password, input);
  const { name, email, password } = input;
  const { response, headers } = await withHashAhead(ctx.deps.identity.auth, password, () =>
    together(ctx.deps.sql, async (db) => {
      const made = await callAs(ctx, (api, headers) =>
        api.signUpEmail({ body: { name, email, password }, headers, returnHeaders: true }),
      );
      if (addressProved) await queries.markAddressProved(db, made.response.user.id);
      if (input.invitationId !== undefined) {
        await queries.deleteSignUpInvitation(db, input.invitationId);
      }
      return made;
    }),
  ).catch((thrown: unknown) => orAddressTaken(ctx, email, thrown));
  const { config, identity } = ctx.deps;
  const device = knownDeviceCookie(config, { secret: identity.signingSecret, email });
  return { value: { user: toUser(response.user) }, cookies: [...headers.getSetCookie(), device] };
}

export async function signUp(
  ctx: VisitorContext<'clock' | 'config' | 'identity' | 'sql'>,
  input: SignUp,
  isLocal: boolean,
): Promise<WithCookies<{ user: User }>> {
  const { sql } = ctx.deps;
  if (await queries.isAnybodySignedUp(sql)) return createAccount(ctx, input, isLocal);
  // Lock against two concurrent first accounts.
  const created = await withLock(sql, 'firstAccount', () => createAccount(ctx, input, isLocal));
  if (created) return created.value;
  throw new AppError('conflict', 'The first account is being created.', {
    hint: 'Try again in a moment.',
  });
}
