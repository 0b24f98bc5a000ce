import { createAsk, withFields } from './ask.ts';
import type { AskOptions, Entitlement, EntitlementStorage, Offerings, Who } from './ask-types.ts';

export type {
  AskError,
  AskOptions,
  Entitlement,
  EntitlementOfName,
  EntitlementStorage,
  Offering,
  OfferingPackage,
  Offerings,
  Who,
} from './ask-types.ts';

export interface OfferingsContext {
  platform?: string;
  appVersion?: string;
  osVersion?: string;
  locale?: string;
  country?: string;
}

export interface PurchasesOptions extends AskOptions {
  /** Where the last answer outlives the app; without it, only as long as this object. */
  storage?: EntitlementStorage;
  /** Default `cp.entitlement`. */
  storageKey?: string;
  /** Milliseconds for which a kept answer holds without the service; default 30 days. */
  longestAgeMs?: number;
}

export interface Purchases {
  /**
   * Hands a signed transaction of the store over. The entitlement that follows; null where the
   * service did not take it: hand it over again. Never rejects. `offering`: in which it was bought.
   */
  handOver(signedTransaction: string, who: Who, offering?: string): Promise<Entitlement | null>;
  /**
   * What this person may use by a name of the app, such as `pro`: the service's answer, else the last
   * one for the same person and name.
   */
  named(who: Who, name: string): Promise<Entitlement | null>;
  /**
   * The same of one product. Without `productId` one answer stands for everything that the person
   * bought, so a sticker pack would unlock the subscription: ask by name.
   */
  entitlement(who: Who, productId?: string): Promise<Entitlement | null>;
  /**
   * What the paywall shows to this person; null where the service did not answer. `context` is for the
   * rules of the flag that chooses. `shown`: the offering is on the screen, which is the exposure of an
   * experiment.
   */
  offerings(who: Who, context?: OfferingsContext & { shown?: boolean }): Promise<Offerings | null>;
  /** Forgets what is kept; call it beside `reset()`. */
  forget(): Promise<void>;
}

interface Kept extends Who {
  entitlement: Entitlement;
  /** When the service said so. */
  at?: number;
}

const MONTH_MS = 30 * 86_400_000;

/** By product id, and by name; without any, under the empty text. */
type KeptByProduct = Record<string, Kept>;

/** The same user, or the same device while one of the two is not signed in. */
function isSame(one: Who, other: Who): boolean {
  if (one.userId && other.userId) return one.userId === other.userId;
  return Boolean(one.anonymousId) && one.anonymousId === other.anonymousId;
}

type Answers = [key: string, answer: Entitlement][];

/** No product id begins so. */
const keyOfName = (name: string): string => `#${name}`;

/** The best of all products is also the answer for its own. */
const answersOf = (answer: Entitlement): Answers => [
  ['', answer],
  [answer.productId ?? '', answer],
];

/** Every answer tells of all names, if not whose or until when in grace. */
const answersByName = ({ entitlements = [], ...answer }: Entitlement): Answers =>
  entitlements.map(({ name, store: _, ...told }) => {
    const entitled = told.status === 'active' || told.status === 'billing_grace';
    const unsaid = { graceExpiresAt: null, ownership: null, originalTransactionId: null };
    return [keyOfName(name), { ...answer, ...unsaid, ...told, entitled }];
  });

const keptFor = (answers: Answers, { userId, anonymousId }: Who): KeptByProduct => {
  const ids = { userId: userId ?? null, anonymousId: anonymousId ?? null };
  const at = Date.now();
  return Object.fromEntries(
    answers.map(([key, entitlement]) => [key, { ...ids, entitlement, at }]),
  );
};

/** An earlier release kept one answer, of all products. */
function parseKept(text: string | null | undefined): KeptByProduct {
  try {
    const stored: KeptByProduct = JSON.parse(text ?? '{}');
    if (withFields<Kept>(stored, 'entitlement', 'userId', 'anonymousId')) {
      return keptFor(answersOf(stored.entitlement), stored);
    }
    return { ...stored };
  } catch {
    return {};
  }
}

function createKept(options: PurchasesOptions) {
  const { storage, storageKey = 'cp.entitlement', longestAgeMs = MONTH_MS } = options;
  let kept: KeptByProduct = {};
  let isRead = !storage;
  /** What came meanwhile is newer than what was stored. */
  const readStorage = async (): Promise<void> => {
    const stored = isRead ? {} : parseKept(await storage?.getItem(storageKey));
    if (!isRead) kept = { ...stored, ...kept };
    isRead = true;
  };
  return {
    read: async (who: Who, key: string): Promise<Entitlement | null> => {
      // A storage that fails takes nothing away.
      await readStorage().catch(() => undefined);
      const last: unknown = kept[key];
      const isMine = withFields<Kept>(last, 'entitlement') && isSame(last, who);
      // An earlier release kept no time: that holds until the next answer.
      const isOld = isMine && Date.now() - (last.at ?? Infinity) > longestAgeMs;
      return isMine && !isOld ? last.entitlement : null;
    },
    write: async (who: Who, answers: Answers): Promise<void> => {
      kept = { ...kept, ...keptFor(answers, who) };
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
    answersIn: (answer: Entitlement) => Answers,
    answer: unknown,
  ): Promise<Entitlement | null> => {
    if (!withFields<Entitlement>(answer, 'entitled', 'status')) return null;
    const answers = [...answersByName(answer), ...answersIn(answer)];
    await kept.write(who, answers).catch(() => undefined);
    return answer;
  };
  const askFor = async (
    who: Who,
    key: string,
    asked: Record<string, string>,
  ): Promise<Entitlement | null> => {
    const { userId, anonymousId } = who;
    const answer = await ask('/v1/purchases/entitlement', { userId, anonymousId, ...asked });
    return (await keep(who, (given) => [[key, given]], answer)) ?? kept.read(who, key);
  };
  return {
    handOver: async (signedTransaction, who, offering) => {
      const ids = Object.entries(who).filter(([, id]) => id);
      const body = { signedTransaction, offering, ...Object.fromEntries(ids) };
      const answer = await ask('/v1/purchases/verify', {}, body);
      return keep(who, answersOf, answer);
    },
    named: (who, name) => askFor(who, keyOfName(name), { entitlement: name }),
    entitlement: (who, productId = '') => askFor(who, productId, { productId }),
    offerings: async ({ anonymousId }, { shown, ...context } = {}) => {
      const query = { ...context, anonymousId, ...(shown && { shown: 'true' }) };
      const answer = await ask('/v1/purchases/offerings', query);
      return withFields<Offerings>(answer, 'current', 'offerings') ? answer : null;
    },
    forget: () => kept.forget().catch(() => undefined),
  };
}
