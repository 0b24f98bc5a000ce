import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import {
  ChangePasswordBody,
  CurrentSession,
  Done,
  RequestPasswordResetBody,
  ResetPasswordBody,
  SignedIn,
  SignedOut,
  SignInBody,
  SignUpBody,
} from './model.ts';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { revokeOtherSessions, showSession, signOut } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { sendCookies } from './visitor.ts';

/** Accounts and sessions, at the paths and with the bodies that better-auth's clients know. */
export const accountsRoutes = new Elysia({ prefix: '/v1/auth', detail: { tags: ['Accounts'] } })
  .use(access)
  .post('/sign-up/email', ({ ctx, body, set }) => sendCookies(set, signUp(ctx, body)), {
    open: { limit: 'signIn', errors: ['permission_denied', 'conflict', 'origin_not_allowed'] },
    body: SignUpBody,
    response: { 200: SignedIn },
    detail: { summary: 'Make an account' },
  })
  .post('/sign-in/email', ({ ctx, body, set }) => sendCookies(set, signIn(ctx, body)), {
    open: { limit: 'default', errors: ['not_signed_in', 'origin_not_allowed'] },
    body: SignInBody,
    response: { 200: SignedIn },
    detail: { summary: 'Sign in; sets the session cookie' },
  })
  .post('/sign-out', ({ ctx, set }) => sendCookies(set, signOut(ctx)), {
    open: { limit: 'default', countedBySession: true, errors: ['origin_not_allowed'] },
    response: { 200: SignedOut },
    detail: { summary: 'Sign out' },
  })
  .get('/get-session', ({ ctx, set }) => sendCookies(set, showSession(ctx)), {
    open: { limit: 'default', countedBySession: true },
    response: { 200: CurrentSession },
    detail: { summary: 'Read the current session, null when not signed in' },
  })
  .post('/request-password-reset', ({ ctx, body }) => requestPasswordReset(ctx, body), {
    open: { limit: 'signIn', errors: ['provider_not_configured', 'origin_not_allowed'] },
    body: RequestPasswordResetBody,
    response: { 200: Done },
    detail: { summary: 'Have a link mailed that sets a new password' },
  })
  .post('/reset-password', ({ ctx, body }) => resetPassword(ctx, body), {
    open: { limit: 'signIn', errors: ['origin_not_allowed'] },
    body: ResetPasswordBody,
    response: { 200: Done },
    detail: { summary: 'Set a new password with the secret of a mailed link' },
  })
  .post('/change-password', ({ ctx, body, set }) => sendCookies(set, changePassword(ctx, body)), {
    forPerson: true,
    body: ChangePasswordBody,
    response: { 200: Done },
    detail: { summary: 'Change the password; ends every other session' },
  })
  .post('/revoke-other-sessions', ({ ctx }) => revokeOtherSessions(ctx), {
    forPerson: true,
    response: { 200: Done },
    detail: { summary: 'End every other session of this account' },
  });
