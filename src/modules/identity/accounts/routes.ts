import { Elysia } from 'elysia';
import { personContext, sendCookies, visitorContext } from '../../../http/people.ts';
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

/** Accounts and sessions, at the paths and with the bodies that better-auth's clients know. */
export const accountsRoutes = new Elysia({ prefix: '/v1/auth', detail: { tags: ['Accounts'] } })
  .post(
    '/sign-up/email',
    async ({ request, body, set }) => sendCookies(set, await signUp(visitorContext(request), body)),
    { body: SignUpBody, response: { 200: SignedIn }, detail: { summary: 'Make an account' } },
  )
  .post(
    '/sign-in/email',
    async ({ request, body, set }) => sendCookies(set, await signIn(visitorContext(request), body)),
    {
      body: SignInBody,
      response: { 200: SignedIn },
      detail: { summary: 'Sign in; sets the session cookie' },
    },
  )
  .post(
    '/sign-out',
    async ({ request, set }) => sendCookies(set, await signOut(visitorContext(request))),
    { response: { 200: SignedOut }, detail: { summary: 'Sign out' } },
  )
  .get(
    '/get-session',
    async ({ request, set }) => sendCookies(set, await showSession(visitorContext(request))),
    {
      response: { 200: CurrentSession },
      detail: { summary: 'Read the current session, null when not signed in' },
    },
  )
  .post(
    '/request-password-reset',
    ({ request, body }) => requestPasswordReset(visitorContext(request), body),
    {
      body: RequestPasswordResetBody,
      response: { 200: Done },
      detail: { summary: 'Have a link mailed that sets a new password' },
    },
  )
  .post('/reset-password', ({ request, body }) => resetPassword(visitorContext(request), body), {
    body: ResetPasswordBody,
    response: { 200: Done },
    detail: { summary: 'Set a new password with the secret of a mailed link' },
  })
  .post(
    '/change-password',
    async ({ request, body, set }) =>
      sendCookies(set, await changePassword(personContext(request), body)),
    {
      body: ChangePasswordBody,
      response: { 200: Done },
      detail: { summary: 'Change the password; ends every other session' },
    },
  )
  .post('/revoke-other-sessions', ({ request }) => revokeOtherSessions(personContext(request)), {
    response: { 200: Done },
    detail: { summary: 'End every other session of this account' },
  });
