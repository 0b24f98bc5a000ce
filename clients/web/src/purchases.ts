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
  /** What this person may use: the service's answer, else the last one for the same person. */
  entitlement(who: Who): Promise<Entitlement | null>;
  /** Forgets what is kept; call it beside `reset()`. */
  forget(): Promise<void>;
}

interface Kept extends Who {
  entitlement: Entitlement;
}

/** The same user, or the same device while one of the two is not signed in. */
function isSame(one: Who, other: Who): boolean {
  if (one.userId && other.userId) return one.userId === other.userId;
  return Boolean(one.anonymousId) && one.anonymousId === other.anonymousId;
}

function createKept({ storage, storageKey = 'cp.entitlement' }: PurchasesOptions) {
  let known: Kept | undefined;
  return {
    read: async (who: Who): Promise<Entitlement | null> => {
      const text = known ? null : await storage?.getItem(storageKey);
      const kept: unknown = known ?? (text ? JSON.parse(text) : undefined);
      const isMine = withFields<Kept>(kept, 'entitlement') && isSame(kept, who);
      return isMine ? kept.entitlement : null;
    },
    write: async ({ userId, anonymousId }: Who, entitlement: Entitlement): Promise<void> => {
      known = { userId: userId ?? null, anonymousId: anonymousId ?? null, entitlement };
      await storage?.setItem(storageKey, JSON.stringify(known));
    },
    forget: async (): Promise<void> => {
      known = undefined;
      await storage?.removeItem(storageKey);
    },
  };
}

/** Asks the purchase routes by plain `fetch`, in browsers and in React Native. Never throws. */
export function createPurchases(options: PurchasesOptions): Purchases {
  const ask = createAsk(options);
  const kept = createKept(options ?? {});
  const keep = async (who: Who, answer: unknown): Promise<Entitlement | null> => {
    if (!withFields<Entitlement>(answer, 'entitled', 'status')) return null;
    // A storage that fails takes nothing away.
    await kept.write(who, answer).catch(() => undefined);
    return answer;
  };
  return {
    handOver: async (signedTransaction, who) => {
      const ids = Object.entries(who).filter(([, id]) => id);
      const body = { signedTransaction, ...Object.fromEntries(ids) };
      return keep(who, await ask('/v1/purchases/verify', {}, body));
    },
    entitlement: async (who) => {
      const { userId, anonymousId } = who;
      const answer = await ask('/v1/purchases/entitlement', { userId, anonymousId });
      return (await keep(who, answer)) ?? kept.read(who).catch(() => null);
    },
    forget: () => kept.forget().catch(() => undefined),
  };
}
