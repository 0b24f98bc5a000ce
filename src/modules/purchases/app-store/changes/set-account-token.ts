import type { AppContext } from '../../../../context.ts';
import { toAccountToken } from '../../../../shared/account-token.ts';
import { REAL_PURCHASES } from '../../../../shared/environment.ts';
import { invalidInput, notFound } from '../../../../shared/errors.ts';
import { selectAskableApp } from '../connection/queries.ts';
import { askStore, openKeyToUse } from '../connection/purchase-key.ts';
import type { AccountToken, AccountTokenInput } from './model.ts';
import { toRefusal } from './refusals.ts';

export async function setAccountToken(
  ctx: AppContext<'secrets' | 'sql' | 'storeServer'>,
  input: AccountTokenInput,
): Promise<AccountToken> {
  const { deps, orgId, app } = ctx;
  const known = await selectAskableApp(deps.sql, orgId, app.id);
  if (!known) throw notFound();
  const key = await openKeyToUse(ctx, known.bundleId);
  const { originalTransactionId, environment = REAL_PURCHASES } = input;
  const appAccountToken = toAccountToken(input.appAccountToken);
  if (appAccountToken === null) throw invalidInput('appAccountToken', 'must not be all zeros');
  try {
    await askStore(ctx, key, () =>
      deps.storeServer.setAppAccountToken(key, environment, originalTransactionId, appAccountToken),
    );
  } catch (thrown) {
    throw toRefusal(thrown);
  }
  return { originalTransactionId, environment, appAccountToken };
}
