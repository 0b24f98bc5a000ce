import type { AppScope } from '../../../shared/app.ts';
import { AppError, invalidInput, notFound } from '../../../shared/errors.ts';
import { isNoId } from '../../../shared/identity.ts';
import type { Db } from '../../../storage/postgres.ts';
import { type GrantInput, type Holder, NAMES_A_TRANSACTION, NAMES_NOBODY } from '../model/grant.ts';
import { namedChain } from '../model/wire.ts';
import { selectMappedUser } from '../ownership/links-queries.ts';
import { isDeviceOnly, selectBuyerOf } from './grantee-queries.ts';

async function userNamed(db: Db, scope: AppScope, userId: string): Promise<Holder> {
  if ((await selectBuyerOf(db, scope, userId)) !== null) {
    throw invalidInput('userId', NAMES_A_TRANSACTION);
  }
  if (await isDeviceOnly(db, scope, userId)) {
    throw invalidInput('userId', 'is a device: name it as anonymousId');
  }
  return { kind: 'user', id: userId };
}

async function buyerOf(db: Db, scope: AppScope, transactionId: string): Promise<Holder> {
  const found = await selectBuyerOf(db, scope, transactionId);
  if (found === null) throw notFound();
  if (found.buyer) return found.buyer;
  throw new AppError('conflict', 'Nobody holds this purchase yet.', {
    hint: 'A grant goes to a person: name userId, or anonymousId.',
  });
}

export async function findGrantee(db: Db, scope: AppScope, input: GrantInput): Promise<Holder> {
  const { userId, anonymousId } = input;
  const transactionId = namedChain(input);
  const named = [userId, anonymousId, transactionId].filter((id) => id != null);
  if (named.length !== 1) {
    throw invalidInput('userId', NAMES_NOBODY);
  }
  for (const [field, id] of Object.entries({ userId, anonymousId })) {
    if (id !== undefined && isNoId(id)) throw invalidInput(field, 'is a value that is no id');
  }
  if (userId !== undefined) return userNamed(db, scope, userId);
  if (transactionId !== null) return buyerOf(db, scope, transactionId);
  const device: Holder = { kind: 'anonymous', id: anonymousId ?? '' };
  const user = await selectMappedUser(db, scope, device.id);
  return user === null ? device : { kind: 'user', id: user };
}
