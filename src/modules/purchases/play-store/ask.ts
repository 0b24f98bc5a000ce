import type { Deps } from '../../../context.ts';
import * as play from '../../../providers/play-store/port.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { OpenPlayKey } from './connection.ts';
import { isOfTheToken, type ReadOrders, readOrders } from './read-orders.ts';

export type PlayAnswer = play.PlayFound &
  ReadOrders & {
    planPeriods: ReadonlyMap<string, string>;
  };

export type PlayQuestion = {
  kind: play.PlayKind;
  purchaseToken: string;
  settledOrders: readonly string[];
};
type AskDeps = Pick<Deps, 'clock' | 'playStore'>;

export const planKey = (line: { productId: string; basePlanId: string | null }): string =>
  `${line.productId} ${line.basePlanId}`;

async function readPlanPeriods(
  { playStore }: AskDeps,
  { key, packageName }: OpenPlayKey,
  { kind, purchase }: play.PlayFound,
  orders: readonly play.PlayOrder[],
): Promise<Map<string, string>> {
  const periods = new Map<string, string>();
  if (kind === 'product') return periods;
  const lines = [...purchase.lines, ...orders.flatMap((order) => order.lines)];
  const isChanged = purchase.replacesToken !== null || lines.some((line) => line.isProrated);
  for (const productId of isChanged ? new Set(lines.map((line) => line.productId)) : []) {
    try {
      const ofProduct = await playStore.planPeriods(key, { packageName, productId });
      for (const [basePlanId, period] of ofProduct) {
        periods.set(planKey({ productId, basePlanId }), period);
      }
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
    }
  }
  return periods;
}

/** Throws `ProviderError`. */
export async function askPlay(
  deps: AskDeps,
  opened: OpenPlayKey,
  { kind, purchaseToken, settledOrders }: PlayQuestion,
): Promise<PlayAnswer> {
  const { key, packageName } = opened;
  const found = await play.findPurchase(deps.playStore, key, { packageName, purchaseToken, kind });
  const read = await readOrders(deps, opened, found, settledOrders);
  const planPeriods = await readPlanPeriods(deps, opened, found, read.orders);
  return { ...found, ...read, planPeriods };
}

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
