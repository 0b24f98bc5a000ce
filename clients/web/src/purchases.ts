import { createAsk, withFields } from './ask.ts';
import type { AskOptions, Entitlement, EntitlementStorage, Who } from './ask-types.ts';

export type { AskError, AskOptions, Entitlement, EntitlementStorage, Who } from './ask-types.ts';

export interface PurchasesOptions extends AskOptions {
  /** Where the last answer outlives the app; without it, only as long as this object. */
  storage?: EntitlementStorage;
  /** Default `cp.entitlement`. */
  storageKey?: string;
}

export interface Purchases {
  /**
   * Hands a signed transaction of the store over. The entitlement that follows; null where the
   * service did not take it: hand it over again. Never rejects.
   */
  handOver(signedTransaction: string, who: Who): Promise<Entitlement | null>;
  /**
   * What this person may use of a product: the service's answer, else the last one for the same person
   * and product. Without `productId` one answer stands for everything that the person bought: name it
   * where the app sells more than one kind, and ask for each product that unlocks the same.
   */
  entitlement(who: Who, productId?: string): Promise<Entitlement | null>;
  /** Forgets what is kept; call it beside `reset()`. */
  forget(): Promise<void>;
}

interface Kept extends Who {
  entitlement: Entitlement;
}

/** By product id; without one, under the empty text. */
type KeptByProduct = Record<string, Kept>;

/** The same user, or the same device while one of the two is not signed in. */
function isSame(one: Who, other: Who): boolean {
  if (one.userId && other.userId) return one.userId === other.userId;
  return Boolean(one.anonymousId) && one.anonymousId === other.anonymousId;
}

/** The best of all products is also the answer for its own. */
const productsOf = ({ productId }: Entitlement): string[] => ['', productId ?? ''];

const keptFor = (productIds: string[], last: Kept): KeptByProduct =>
  Object.fromEntries(productIds.map((productId) => [productId, last]));

/** An earlier release kept one answer, of all products. */
function parseKept(text: string | null | undefined): KeptByProduct {
  try {
    const stored: KeptByProduct = JSON.parse(text ?? '{}');
    if (withFields<Kept>(stored, 'entitlement', 'userId', 'anonymousId')) {
      return keptFor(productsOf(stored.entitlement), stored);
    }
    return { ...stored };
  } catch {
    return {};
  }
}

function createKept({ storage, storageKey = 'cp.entitlement' }: PurchasesOptions) {
  let kept: KeptByProduct = {};
  let isRead = !storage;
  /** What came meanwhile is newer than what was stored. */
  const readStorage = async (): Promise<void> => {
    const stored = isRead ? {} : parseKept(await storage?.getItem(storageKey));
    if (!isRead) kept = { ...stored, ...kept };
    isRead = true;
  };
  return {
    read: async (who: Who, productId: string): Promise<Entitlement | null> => {
      // A storage that fails takes nothing away.
      await readStorage().catch(() => undefined);
      const last: unknown = kept[productId];
      const isMine = withFields<Kept>(last, 'entitlement') && isSame(last, who);
      return isMine ? last.entitlement : null;
    },
    write: async (
      { userId, anonymousId }: Who,
      productIds: string[],
      entitlement: Entitlement,
    ): Promise<void> => {
      const last = { userId: userId ?? null, anonymousId: anonymousId ?? null, entitlement };
      kept = { ...kept, ...keptFor(productIds, last) };
      await readStorage();
      await storage?.setItem(storageKey, JSON.stringify(kept));
    },
    forget: async (): Promise<void> => {
      kept = {};
      isRead = true;
      await storage?.removeItem(storageKey);
    },
  };
}

/** Asks the purchase routes by plain `fetch`, in browsers and in React Native. Never throws. */
export function createPurchases(options: PurchasesOptions): Purchases {
  const ask = createAsk(options);
  const kept = createKept(options ?? {});
  const keep = async (
    who: Who,
    productIds: (answer: Entitlement) => string[],
    answer: unknown,
  ): Promise<Entitlement | null> => {
    if (!withFields<Entitlement>(answer, 'entitled', 'status')) return null;
    await kept.write(who, productIds(answer), answer).catch(() => undefined);
    return answer;
  };
  return {
    handOver: async (signedTransaction, who) => {
      const ids = Object.entries(who).filter(([, id]) => id);
      const body = { signedTransaction, ...Object.fromEntries(ids) };
      const answer = await ask('/v1/purchases/verify', {}, body);
      return keep(who, productsOf, answer);
    },
    entitlement: async (who, productId = '') => {
      const { userId, anonymousId } = who;
      const answer = await ask('/v1/purchases/entitlement', { userId, anonymousId, productId });
      return (await keep(who, () => [productId], answer)) ?? kept.read(who, productId);
    },
    forget: () => kept.forget().catch(() => undefined),
  };
}
