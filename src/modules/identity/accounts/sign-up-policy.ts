import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { findOpenInvitation } from '../members/invitations-queries.ts';
import { isAnybodySignedUp, isSignUpInvitation } from './queries.ts';

export type SignUpRequest = { email: string; invitationId?: string | undefined };

export type SignUpAllowed = {
  /** Whether the address is proved: by a mailed secret, or by the operator's word. */
  addressProved: boolean;
};

/** What the secret of an invitation to this address allows; null when it is none. */
async function invited(
  { deps }: SystemContext,
  { email, invitationId: secret }: SignUpRequest,
): Promise<SignUpAllowed | null> {
  if (secret === undefined) return null;
  const now = deps.clock();
  const found = await findOpenInvitation(deps.sql, { secret, email, now });
  if (found) return { addressProved: found.secretMailed };
  // Only operators make these, and they name the address.
  if (await isSignUpInvitation(deps.sql, { token: secret, email, now })) {
    return { addressProved: true };
  }
  return null;
}

/**
 * Who may make an account (`SIGN_UP`): the first one always can, and the operator vouches for it;
 * then anybody (`open`), nobody (`closed`), or whoever holds an invitation to that address
 * (`invite`). Throws `permission_denied` with the same words for a wrong invitation and for none.
 */
export async function checkSignUp(
  ctx: SystemContext,
  request: SignUpRequest,
): Promise<SignUpAllowed> {
  const policy = ctx.deps.config.signUp;
  if (!(await isAnybodySignedUp(ctx.deps.sql))) return { addressProved: true };
  const allowed = policy === 'closed' ? null : await invited(ctx, request);
  if (allowed) return allowed;
  if (policy === 'open') return { addressProved: false };
  throw new AppError('permission_denied', 'You cannot make an account here.', {
    hint:
      policy === 'closed'
        ? 'Sign-up is closed: ask whoever runs this service.'
        : 'invitationId: must be that of an open invitation to this address',
  });
}
