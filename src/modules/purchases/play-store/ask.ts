import type { Deps } from '../../../context.ts';
import type {
  PlayKind,
  PlayOrder,
  PlayProduct,
  PlaySubscription,
} from '../../../providers/play-store/port.ts';
import { isReal } from '../../../shared/environment.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { OpenPlayKey } from './play-key.ts';

type Purchase =
  | { kind: 'subscription'; purchase: PlaySubscription }
  | { kind: 'product'; purchase: PlayProduct };

/** With the orders whose price was not read before, as far as Google tells. */
export type PlayAnswer = Purchase & { orders: readonly PlayOrder[] };

export type PlayQuestion = {
  kind: PlayKind;
  purchaseToken: string;
  pricedOrders: readonly string[];
};
type AskDeps = Pick<Deps, 'playStore'>;

/** Nobody pays for test purchases. */
export function paidOrders({ kind, purchase }: Purchase): string[] {
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
  const asked = { packageName, purchaseToken };
  const answer: Purchase =
    kind === 'subscription'
      ? { kind, purchase: await deps.playStore.subscription(key, asked) }
      : { kind, purchase: await deps.playStore.product(key, asked) };
  const unpriced = paidOrders(answer).filter((orderId) => !pricedOrders.includes(orderId));
  return { ...answer, orders: await readOrders(deps, opened, unpriced) };
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
