import { randomBytes } from 'node:crypto';
import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { DAY_MS, toIso } from '../../../shared/time.ts';
import { signUpLink } from '../organizations/mails.ts';
import { findUserByEmail, insertSignUpInvitation } from './queries.ts';

const VALID_MS = 7 * DAY_MS;

export type SignUpInvitation = {
  email: string;
  /** What the person gives as `invitationId` when signing up. */
  invitationId: string;
  link: string;
  expiresAt: string;
};

/**
 * Lets one person make an account for this address, in no organization yet. For operators.
 * Throws `conflict` when the address has an account.
 */
export async function inviteToSignUp(
  { deps }: SystemContext,
  { email }: { email: string },
): Promise<SignUpInvitation> {
  if (await findUserByEmail(deps.sql, email)) {
    throw new AppError('conflict', 'There is an account with this address.');
  }
  const invitationId = randomBytes(24).toString('base64url');
  const expiresAt = new Date(deps.clock().getTime() + VALID_MS);
  await insertSignUpInvitation(deps.sql, { token: invitationId, email, expiresAt });
  return {
    email: email.toLowerCase(),
    invitationId,
    link: signUpLink(deps.identity.consoleUrl, { secret: invitationId, email }),
    expiresAt: toIso(expiresAt),
  };
}
