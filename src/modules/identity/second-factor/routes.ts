import { taggedRoutes } from '../../../http/route.ts';
import { withCookies } from '../accounts/visitor.ts';
import { Done, SignedIn } from '../model/account.ts';
import * as secondFactor from '../model/second-factor.ts';
import { signInWithCode } from './codes.ts';
import * as setUp from './set-up.ts';

export const secondFactorRoutes = taggedRoutes('Accounts', '/v1/auth')
  .post('/sign-in/second-factor', withCookies(signInWithCode), {
    open: { limit: 'signIn', errors: ['not_signed_in', 'origin_not_allowed'] },
    body: secondFactor.SecondFactorBody,
    response: { 200: SignedIn },
    detail: {
      operationId: 'signInWithCode',
      summary: 'Give the second factor of a sign-in; sets the session cookie',
      description:
        'After a sign-in that answered `secondFactorNeeded`, within ten minutes, with its cookie. A code opens once; ten wrong ones in a row lock the second factor for 15 minutes.',
    },
  })
  .get('/second-factor', ({ ctx }) => setUp.showSecondFactor(ctx), {
    forPerson: true,
    response: { 200: secondFactor.SecondFactor },
    detail: {
      operationId: 'getSecondFactor',
      summary: 'Say whether this account has a second factor',
      description: 'And how many recovery codes are left.',
    },
  })
  .post('/second-factor', ({ ctx, body }) => setUp.setUpSecondFactor(ctx, body), {
    forPerson: { errors: ['conflict'] },
    body: secondFactor.PasswordAgainBody,
    response: { 200: secondFactor.NewSecondFactor },
    detail: {
      operationId: 'setUpSecondFactor',
      summary: 'Begin with a second factor (TOTP)',
      description:
        'It is on once `POST /v1/auth/second-factor/confirm` has seen a code. Asked again before that, the secret is another.',
    },
  })
  .post('/second-factor/confirm', withCookies(setUp.confirmSecondFactor), {
    forPerson: { errors: ['conflict'] },
    body: secondFactor.ConfirmSecondFactorBody,
    response: { 200: Done },
    detail: {
      operationId: 'confirmSecondFactor',
      summary: 'Turn the second factor on, by a code of the app',
      description: 'The session of this request goes on under a new cookie; all others end.',
    },
  })
  .post('/second-factor/recovery-codes', ({ ctx, body }) => setUp.renewRecoveryCodes(ctx, body), {
    forPerson: { errors: ['conflict'] },
    body: secondFactor.PasswordAndCodeBody,
    response: { 200: secondFactor.NewRecoveryCodes },
    detail: {
      operationId: 'renewRecoveryCodes',
      summary: 'Make new recovery codes; the former open nothing any more',
      description: 'Needs the password and a code, or a recovery code. They are shown once.',
    },
  })
  .post('/second-factor/remove', withCookies(setUp.removeSecondFactor), {
    forPerson: { errors: ['conflict'] },
    body: secondFactor.PasswordAndCodeBody,
    response: { 200: Done },
    detail: {
      operationId: 'removeSecondFactor',
      summary: 'Turn the second factor off',
      description:
        'Needs the password and a code, or a recovery code. Whoever has lost both asks the operator: `bun run admin second-factor remove`.',
    },
  });
