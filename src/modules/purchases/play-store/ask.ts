import type { Deps } from '../../../context.ts';
import {
  findPurchase,
  type PlayFound,
  type PlayKind,
  type PlayOrder,
} from '../../../providers/play-store/port.ts';
import { isReal } from '../../../shared/environment.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { OpenPlayKey } from './play-key.ts';

export type PlayAnswer = PlayFound & {
  /** Whose price was not read before, as far as Google tells. */
  orders: readonly PlayOrder[];
  /** Whose price is known now. */
  pricedOrders: readonly string[];
  /** An order has a price still to be read. */
  isUnpriced: boolean;
};

export type PlayQuestion = {
  kind: PlayKind;
  purchaseToken: string;
  pricedOrders: readonly string[];
};
type AskDeps = Pick<Deps, 'playStore'>;

/** Nobody pays for test purchases. */
function paidOrders({ kind, purchase }: PlayFound): string[] {
  if (!isReal(purchase.environment)) return [];
  const ids = kind === 'product' ? [purchase.orderId] : purchase.lines.map((one) => one.orderId);
  return [...new Set(ids.filter((id) => id !== null))];
}

/** A price that cannot be read is read later. */
async function readOrders(
  { playStore }: AskDeps,
  { key, packageName }: OpenPlayKey,
  orderIds: readonly string[],
): Promise<PlayOrder[]> {
  const orders: PlayOrder[] = [];
  for (const orderId of orderIds) {
    try {
      orders.push(await playStore.order(key, { packageName, orderId }));
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
    }
  }
  return orders;
}

/** Throws `ProviderError`. */
export async function askPlay(
  deps: AskDeps,
  opened: OpenPlayKey,
  { kind, purchaseToken, pricedOrders }: PlayQuestion,
): Promise<PlayAnswer> {
  const { key, packageName } = opened;
  const found = await findPurchase(deps.playStore, key, { packageName, purchaseToken, kind });
  const paid = paidOrders(found);
  const unpriced = paid.filter((orderId) => !pricedOrders.includes(orderId));
  const orders = await readOrders(deps, opened, unpriced);
  const read = orders.map(({ orderId }) => orderId);
  return {
    ...found,
    orders,
    pricedOrders: paid.filter((id) => pricedOrders.includes(id) || read.includes(id)),
    isUnpriced: read.length < unpriced.length,
  };
}

const OF_THE_TOKEN: ReadonlySet<ProviderFailure> = new Set(['invalid', 'not_found']);

/** Rather than the store or the key. */
export const isOfTheToken = (thrown: unknown): thrown is ProviderError =>
  thrown instanceof ProviderError && OF_THE_TOKEN.has(thrown.failure);

/** Nobody has said what was bought: `kind` is a guess. Throws `ProviderError`. */
export async function askOfAnyKind(
  deps: AskDeps,
  opened: OpenPlayKey,
  question: PlayQuestion,
): Promise<PlayAnswer> {
  try {
    return await askPlay(deps, opened, question);
  } catch (thrown) {
    if (!isOfTheToken(thrown)) throw thrown;
    const other = question.kind === 'product' ? 'subscription' : 'product';
    return askPlay(deps, opened, { ...question, kind: other });
  }
}
