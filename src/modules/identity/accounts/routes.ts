import { Type } from '@sinclair/typebox';
import { namedOrganization } from '../../../http/organization.ts';
import { taggedRoutes } from '../../../http/route.ts';
import { isFromThisMachine } from '../../../shared/this-machine.ts';
import * as account from '../model/account.ts';
import { showFirstAccount } from './first-account.ts';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.ts';
import * as sessions from './sessions.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { sendCookies, withCookies } from './visitor.ts';

export const accountsRoutes = taggedRoutes('Accounts', '/v1/auth')
  .post(
    '/sign-up/email',
    ({ ctx, body, request, set }) =>
      sendCookies(set, signUp(ctx, body, isFromThisMachine(ctx.deps, { request, peer: ctx.peer }))),
    {
      open: { limit: 'signIn', errors: ['permission_denied', 'conflict', 'origin_not_allowed'] },
      body: account.SignUpBody,
      response: { 200: account.SignedIn },
      detail: {
        operationId: 'signUp',
        summary: 'Make an account',
        description:
          'Makes an account and signs it in. Who may: the first person always, from the machine itself or with `firstAccountCode`; then as `SIGN_UP` says, with `invitationId` where sign-up is by invitation.',
      },
    },
  )
  .post('/sign-in/email', withCookies(signIn), {
    open: { limit: 'default', errors: ['not_signed_in', 'origin_not_allowed'] },
    body: account.SignInBody,
    response: { 200: account.SignInAnswer },
    detail: {
      operationId: 'signIn',
      summary: 'Sign in; sets the session cookie',
      description:
        'Wrong passwords are limited by address and by account; a wrong address and a wrong password are answered alike. For an account with a second factor the answer is `secondFactorNeeded`, and the cookie is that of the next step.',
    },
  })
  .post('/sign-out', ({ ctx, set }) => sendCookies(set, sessions.signOut(ctx)), {
    open: { limit: 'default', countedBySession: true, errors: ['origin_not_allowed'] },
    response: { 200: account.SignedOut },
    detail: {
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Ends the session of this request, if there is one, and clears its cookie.',
    },
  })
  .get(
    '/first-account',
    ({ ctx, request }) =>
      showFirstAccount(ctx, isFromThisMachine(ctx.deps, { request, peer: ctx.peer })),
    {
      open: { limit: 'default' },
      response: { 200: account.FirstAccount },
      detail: {
        operationId: 'getFirstAccount',
        summary: 'Say whether nobody has an account yet',
        description:
          'While `needed`, the operator may make an account, whatever `SIGN_UP` says; with the code that the start printed where `codeNeeded`.',
      },
    },
  )
  .get(
    '/get-session',
    ({ ctx, set }) => sendCookies(set, sessions.showSession(ctx, namedOrganization(ctx.headers))),
    {
      open: { limit: 'default', countedBySession: true, errors: ['not_found'] },
      response: { 200: account.CurrentSession },
      detail: {
        operationId: 'getSession',
        summary: 'Read the current session, null when not signed in',
        description:
          'The person, their active organization, or that in `x-organization`, and their role in it. A session that is older than a day is prolonged.',
      },
    },
  )
  .post('/request-password-reset', ({ ctx, body }) => requestPasswordReset(ctx, body), {
    open: { limit: 'signIn', errors: ['provider_not_configured', 'origin_not_allowed'] },
    body: account.RequestPasswordResetBody,
    response: { 200: account.Done },
    detail: {
      operationId: 'requestPasswordReset',
      summary: 'Have a link mailed that sets a new password',
      description: 'The answer does not tell whether the address has an account.',
    },
  })
  .post('/reset-password', ({ ctx, body }) => resetPassword(ctx, body), {
    open: { limit: 'signIn', errors: ['origin_not_allowed'] },
    body: account.ResetPasswordBody,
    response: { 200: account.Done },
    detail: {
      operationId: 'resetPassword',
      summary: 'Set a new password with the secret of a mailed link',
      description: 'A link works once, for an hour, and ends every session of the account.',
    },
  })
  .post('/change-password', withCookies(changePassword), {
    forPerson: true,
    body: account.ChangePasswordBody,
    response: { 200: account.Done },
    detail: {
      operationId: 'changePassword',
      summary: 'Change the password; ends every other session',
      description: 'Needs the current password. The owner of a proved address is told by mail.',
    },
  })
  .get('/sessions', ({ ctx }) => sessions.listSessions(ctx), {
    forPerson: true,
    response: { 200: Type.Array(account.SignedInDevice) },
    detail: {
      operationId: 'listSessions',
      summary: 'List the sessions of this account',
      description: 'Where this account is signed in, the newest first; at most 100.',
    },
  })
  .post('/revoke-session', ({ ctx, body }) => sessions.revokeSession(ctx, body.sessionId), {
    forPerson: true,
    body: account.RevokeSessionBody,
    response: { 200: account.Done },
    detail: {
      operationId: 'revokeSession',
      summary: 'End one session of this account',
      description: 'Of its own account only. One that has ended already is answered alike.',
    },
  })
  .post('/revoke-other-sessions', ({ ctx }) => sessions.revokeOtherSessions(ctx), {
    forPerson: true,
    response: { 200: account.Done },
    detail: {
      operationId: 'revokeOtherSessions',
      summary: 'End every other session of this account',
      description: 'The session of this request goes on.',
    },
  });
