import { spellingsOf } from '../../../shared/account-token.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { type CustomerContext, findCustomer } from './get.ts';
import type { Customer } from './model.ts';
import { selectWithPurchases } from './queries.ts';

export type CustomerState = Pick<Customer['entitlement'], 'productId'> & Customer['reason'];

const AT_ONCE = 4;

/** As known, without asking a store; nothing for who neither bought nor was granted anything. */
export async function customerStates(
  ctx: CustomerContext,
  people: readonly string[],
): Promise<Map<string, CustomerState>> {
  const named = people.map((personId) => ({ personId, spellings: spellingsOf(personId) }));
  const customers = await selectWithPurchases(ctx.deps.sql, ctx.scope, named);
  const inTurn = limitConcurrency(AT_ONCE);
  const states = await Promise.all(
    customers.map((customerId) =>
      inTurn(async () => {
        const found = await findCustomer(ctx, { customerId, mayRefresh: false });
        if (!found) return [];
        const { entitlement, reason } = found;
        return [[customerId, { productId: entitlement.productId, ...reason }] as const];
      }),
    ),
  );
  return new Map(states.flat());
}
