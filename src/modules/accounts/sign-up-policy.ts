import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { isOpenInvitation } from '../members/store.ts';
import { isAnybodySignedUp, isSignUpInvitation } from './store.ts';

export type SignUpRequest = { email: string; invitationId?: string | undefined };

/**
 * Who may make an account (`SIGN_UP`): the first one always can; then anybody (`open`), nobody
 * (`closed`), or whoever holds an invitation to that address (`invite`).
 * Throws `permission_denied` with the same words for a wrong invitation and for none.
 */
export async function checkSignUp({ deps }: SystemContext, request: SignUpRequest): Promise<void> {
  const policy = deps.config.signUp;
  if (policy === 'open' || !(await isAnybodySignedUp(deps.sql))) return;
  const { email, invitationId } = request;
  if (policy === 'invite' && invitationId !== undefined) {
    const now = deps.clock();
    if (await isOpenInvitation(deps.sql, { id: invitationId, email, now })) return;
    if (await isSignUpInvitation(deps.sql, { token: invitationId, email, now })) return;
  }
  throw new AppError('permission_denied', 'You cannot make an account here.', {
    hint:
      policy === 'closed'
        ? 'Sign-up is closed: ask whoever runs this service.'
        : 'invitationId: must be that of an open invitation to this address',
  });
}
