import type { Deps } from '../../../context.ts';
import type { PlayFound, PlayOrder } from '../../../providers/play-store/port.ts';
import { isReal } from '../../../shared/environment.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { OpenPlayKey } from './connection.ts';
import { ordersUpTo } from './estimate.ts';

const OF_THE_TOKEN: ReadonlySet<ProviderFailure> = new Set(['invalid', 'not_found']);

export const isOfTheToken = (thrown: unknown): thrown is ProviderError =>
  thrown instanceof ProviderError && OF_THE_TOKEN.has(thrown.failure);

export type ReadOrders = {
  orders: PlayOrder[];
  settled: string[];
  isUnpriced: boolean;
};

const AT_ONCE = 100;
const SINGLY = 20;
const REFUNDABLE_MS = 50 * DAY_MS;

const latestOrders = ({ kind, purchase }: PlayFound): string[] => {
  const ids = kind === 'product' ? [purchase.orderId] : purchase.lines.map((one) => one.orderId);
  return [...new Set(ids.filter((id) => id !== null))];
};

/** Newest first. Nobody pays for test purchases. */
const paidOrders = (found: PlayFound): string[] =>
  isReal(found.purchase.environment)
    ? [...new Set(latestOrders(found).flatMap((id) => ordersUpTo(id).toReversed()))]
    : [];

function runningOrders({ kind, purchase }: PlayFound, now: number): (string | null)[] {
  if (kind === 'product' || purchase.state === 'expired') return [];
  return purchase.lines.flatMap((one) => ((one.expiresAt ?? 0) > now ? one.orderId : []));
}

type Reading = { found: PlayOrder[]; missing: string[] };

/** Google refuses a batch with an order that it does not have. */
async function readSingly(
  { playStore }: Pick<Deps, 'playStore'>,
  { key, packageName }: OpenPlayKey,
  orderIds: readonly string[],
  isReadable: boolean,
): Promise<Reading> {
  const reading: Reading = { found: [], missing: [] };
  for (const orderId of orderIds.slice(0, SINGLY)) {
    try {
      reading.found.push(await playStore.order(key, { packageName, orderId }));
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
      if (!isOfTheToken(thrown) || !(isReadable || reading.found.length > 0)) break;
      reading.missing.push(orderId);
    }
  }
  return reading;
}

async function readBatch(
  { playStore }: Pick<Deps, 'playStore'>,
  { key, packageName }: OpenPlayKey,
  orderIds: string[],
): Promise<Reading | null> {
  if (orderIds.length === 1) return null;
  try {
    return { found: await playStore.orders(key, { packageName, orderIds }), missing: [] };
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    return isOfTheToken(thrown) ? null : { found: [], missing: [] };
  }
}

async function readAll(
  deps: Pick<Deps, 'playStore'>,
  opened: OpenPlayKey,
  orderIds: readonly string[],
  isReadable: boolean,
): Promise<Reading> {
  const all: Reading = { found: [], missing: [] };
  for (let start = 0; start < orderIds.length; start += AT_ONCE) {
    const some = orderIds.slice(start, start + AT_ONCE);
    const isNewer = isReadable || all.found.length > 0;
    const { found, missing } =
      (await readBatch(deps, opened, some)) ?? (await readSingly(deps, opened, some, isNewer));
    all.found.push(...found);
    all.missing.push(...missing);
    if (found.length + missing.length < some.length) break;
  }
  return all;
}

/** Orders of the purchase, earlier ones too, until they can hardly be given back. */
export async function readOrders(
  deps: Pick<Deps, 'clock' | 'playStore'>,
  opened: OpenPlayKey,
  found: PlayFound,
  settledBefore: readonly string[],
): Promise<ReadOrders> {
  const paid = paidOrders(found);
  const settled = new Set(paid.filter((id) => settledBefore.includes(id)));
  const open = paid.filter((id) => !settled.has(id));
  const { found: orders, missing } = await readAll(deps, opened, open, settled.size > 0);
  const now = deps.clock().getTime();
  const running = new Set(runningOrders(found, now));
  for (const { orderId, paidAt, refund } of orders) {
    const isPast = (paidAt ?? 0) + REFUNDABLE_MS < now && !running.has(orderId);
    if (isPast || refund?.share === null) settled.add(orderId);
  }
  for (const id of missing) settled.add(id);
  return {
    orders,
    settled: [...settled],
    isUnpriced: orders.length + missing.length < open.length,
  };
}
