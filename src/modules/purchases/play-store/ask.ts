import type { Deps } from '../../../context.ts';
import type {
  PlayKind,
  PlayProduct,
  PlaySubscription,
} from '../../../providers/play-store/port.ts';
import { ProviderError, type ProviderFailure } from '../../../shared/provider-error.ts';
import type { OpenPlayKey } from './play-key.ts';

export type PlayAnswer =
  | { kind: 'subscription'; purchase: PlaySubscription }
  | { kind: 'product'; purchase: PlayProduct };

type Asked = { kind: PlayKind; purchaseToken: string };
type AskDeps = Pick<Deps, 'playStore'>;

/** Throws `ProviderError`. */
export async function askPlay(
  { playStore }: AskDeps,
  { key, packageName }: OpenPlayKey,
  { kind, purchaseToken }: Asked,
): Promise<PlayAnswer> {
  const purchase = { packageName, purchaseToken };
  return kind === 'subscription'
    ? { kind, purchase: await playStore.subscription(key, purchase) }
    : { kind, purchase: await playStore.product(key, purchase) };
}

const OF_THE_TOKEN: ReadonlySet<ProviderFailure> = new Set(['invalid', 'not_found']);

/** Rather than the store or the key. */
export const isOfTheToken = (thrown: unknown): thrown is ProviderError =>
  thrown instanceof ProviderError && OF_THE_TOKEN.has(thrown.failure);

/** Nobody has said what was bought: `kind` is a guess. Throws `ProviderError`. */
export async function askOfAnyKind(
  deps: AskDeps,
  opened: OpenPlayKey,
  { kind, purchaseToken }: Asked,
): Promise<PlayAnswer> {
  try {
    return await askPlay(deps, opened, { kind, purchaseToken });
  } catch (thrown) {
    if (!isOfTheToken(thrown)) throw thrown;
    const other = kind === 'product' ? 'subscription' : 'product';
    return askPlay(deps, opened, { kind: other, purchaseToken });
  }
}
