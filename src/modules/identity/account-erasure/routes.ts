import { taggedRoutes } from '../../../http/route.ts';
import { Done, EraseAccountBody } from '../model/account.ts';
import { eraseOwnAccount } from './erase-account.ts';

export const accountErasureRoutes = taggedRoutes('Accounts', '/v1/auth/erase-account').post(
  '',
  ({ ctx, body }) => eraseOwnAccount(ctx, body),
  {
    forPerson: { errors: ['confirmation_mismatch', 'conflict', 'not_found'] },
    body: EraseAccountBody,
    response: { 200: Done },
    detail: {
      operationId: 'eraseAccount',
      summary: 'Erase this account: name, address, survey, sessions, sign-ins and memberships',
      description:
        'For good. The only owner of an organization gives it away or deletes it first. What stays, and how long, is in docs/identity.md.',
    },
  },
);
