import { digestChain } from '../../src/modules/purchases/ledger/digest.ts';
import type { PartialTransaction } from '../../src/modules/purchases/ledger/signed-queries.ts';
import type { StatusAsOf } from '../../src/modules/purchases/model/chain.ts';
import type { ChainHistory } from '../../src/modules/purchases/overview/history.ts';
import { askOfAnyKind, type PlayAnswer } from '../../src/modules/purchases/play-store/ask.ts';
import { nextAsk } from '../../src/modules/purchases/play-store/next-ask.ts';
import { toProductFacts } from '../../src/modules/purchases/play-store/product-facts.ts';
import { revokedBy } from '../../src/modules/purchases/play-store/read-voids.ts';
import { linkedToken } from '../../src/modules/purchases/play-store/record-purchase.ts';
import { toPastFacts, toPlayFacts } from '../../src/modules/purchases/play-store/to-facts.ts';
import {
  toOrder,
  toPlanPeriods,
  toProduct,
  toSubscription,
  toVoidedPage,
} from '../../src/providers/play-store/map.ts';
import type { PlayKey, PlayPurchase, PlayStore } from '../../src/providers/play-store/port.ts';
import {
  orderAnswer,
  plansAnswer,
  productAnswer,
  subscriptionAnswer,
  voidedAnswer,
} from '../../src/providers/play-store/wire.ts';
import { must } from '../../src/shared/assert.ts';
import type { StoreEnvironment } from '../../src/shared/environment.ts';
import { ProviderError } from '../../src/shared/provider-error.ts';
import type { SignedRenewal, Transaction, TransactionDetails } from '../../src/shared/purchase.ts';
import { catalogueOf } from '../simulators/play-store/answers.ts';
import { checkAnswer } from '../simulators/play-store/schema.ts';
import { ADD_ON, PLANS as SOLD_PLANS } from '../simulators/play-store/subscription.ts';

const NAMED = /rderId":"([^"]+)"/g;

type Kept = { snapshot: Transaction; details: TransactionDetails | null; firstEnd: number | null };
type Chain = {
  environment: StoreEnvironment;
  transactions: Map<string, Kept>;
  notes: Map<number, SignedRenewal>;
  status: StatusAsOf | null;
};
type Token = {
  chainId: string;
  replaces: string | null;
  settled: readonly string[];
  askAt: number | null;
};
type Google = {
  clock: () => number;
  /** As of now; undefined of a token that Google does not have. */
  answer: (token: string) => unknown;
  order: (orderId: string) => unknown;
};

const PLANS = [...Object.values(SOLD_PLANS), ADD_ON];
const OPENED = { packageName: 'com.example.app', key: {} as PlayKey };

/** Google Play in memory. */
function fakeStore({ answer, order }: Google): PlayStore {
  const notFound = () => new ProviderError('not_found', 'Google Play has none.');
  const readOrder = (orderId: string) => {
    const body = order(orderId);
    if (body === undefined) throw notFound();
    checkAnswer('Order', body);
    return toOrder(orderAnswer.parse(body));
  };
  const read = (token: string, isSubscription: boolean) => {
    const body = answer(token);
    if (body === undefined || 'subscriptionState' in Object(body) !== isSubscription) {
      throw notFound();
    }
    checkAnswer(isSubscription ? 'SubscriptionPurchaseV2' : 'ProductPurchaseV2', body);
    return body;
  };
  return {
    subscription: async (_key: PlayKey, { purchaseToken }: PlayPurchase) =>
      toSubscription(subscriptionAnswer.parse(read(purchaseToken, true))),
    product: async (_key: PlayKey, { purchaseToken }: PlayPurchase) =>
      toProduct(productAnswer.parse(read(purchaseToken, false))),
    order: async (_key: PlayKey, { orderId }: { orderId: string }) => readOrder(orderId),
    orders: async (_key: PlayKey, { orderIds }: { orderIds: string[] }) => orderIds.map(readOrder),
    planPeriods: async (_key: PlayKey, { productId }: { productId: string }) => {
      const plans = PLANS.filter((plan) => plan.productId === productId);
      const body = catalogueOf(productId, plans);
      checkAnswer('Subscription', body);
      return toPlanPeriods(plansAnswer.parse(body));
    },
  } as Partial<PlayStore> as PlayStore;
}

/** Stored purchases of Google Play, in memory, by the rules of the tables. */
export class PlayLedger {
  readonly chains = new Map<string, Chain>();
  readonly tokens = new Map<string, Token>();
  /** Orders that Google named to it. */
  readonly named = new Set<string>();
  private readonly playStore: PlayStore;

  constructor(private readonly google: Google) {
    this.playStore = fakeStore(google);
  }

  /** As `askPlay` and `recordAndAnnounce`; false of a token that is no more. */
  async ask(token: string, at: number): Promise<boolean> {
    const settledOrders = this.tokens.get(token)?.settled ?? [];
    const question = { kind: 'subscription' as const, purchaseToken: token, settledOrders };
    const deps = { playStore: this.playStore, clock: () => new Date(at) };
    try {
      this.record(token, await askOfAnyKind(deps, OPENED, question), at);
    } catch (thrown) {
      if (!(thrown instanceof ProviderError)) throw thrown;
      return false;
    }
    for (const [, orderId] of JSON.stringify(this.google.answer(token)).matchAll(NAMED)) {
      this.named.add(must(orderId, 'an order'));
    }
    return true;
  }

  private chainOf(token: string, linked: string | null): string {
    const own = this.tokens.get(token) ?? (linked === null ? null : this.tokens.get(linked));
    const later = [...this.tokens.values()].find((one) => one.replaces === token);
    return (own ?? later)?.chainId ?? `gp_${token}`;
  }

  /** Tokens to ask about for the first time. */
  readonly hinted = new Set<string>();

  private record(token: string, answer: PlayAnswer, at: number): void {
    const { purchase, orders, planPeriods } = answer;
    const { linked, replaces } = linkedToken(answer);
    const chainId = this.chainOf(token, linked);
    const before = this.tokens.get(token);
    const row: Token = before ?? { chainId, replaces, settled: [], askAt: null };
    const wasReplaced = [...this.tokens.values()].some((one) => one.replaces === replaces);
    if (replaces !== null && !wasReplaced) {
      const old = this.tokens.get(replaces);
      if (old) old.askAt = at;
      else this.hinted.add(replaces);
    }
    row.replaces = replaces ?? row.replaces;
    row.settled = answer.settled;
    this.tokens.set(token, row);
    const isReplaced = [...this.tokens.values()].some((one) => one.replaces === token);
    row.askAt = nextAsk(answer, new Date(at), isReplaced)?.getTime() ?? null;
    const chain = this.chains.get(chainId) ?? {
      ...{ environment: purchase.environment, transactions: new Map(), notes: new Map() },
      status: null,
    };
    this.chains.set(chainId, chain);
    const known = [...chain.transactions.values()].map(({ snapshot }) => snapshot);
    const about = { chainId, packageName: 'com.example.app', known, orders, answeredAt: at };
    if (answer.kind === 'product') {
      for (const one of toProductFacts({ ...about, product: answer.purchase })) upsert(chain, one);
      return;
    }
    const told = { ...about, planPeriods, subscription: answer.purchase };
    if (isReplaced) {
      for (const one of toPastFacts(told)) upsert(chain, one);
      return;
    }
    const facts = toPlayFacts(told);
    for (const one of facts.transactions) upsert(chain, one);
    for (const snapshot of facts.superseded) upsert(chain, { snapshot, details: null });
    if (facts.renewal) chain.notes.set(at, facts.renewal);
    if (facts.status) chain.status = facts.status;
  }

  /** As `readPlayVoids`. */
  void(row: Record<string, unknown>, at: number): void {
    const { voided } = toVoidedPage(voidedAnswer.parse({ voidedPurchases: [row] }));
    for (const one of voided) {
      const token = this.tokens.get(one.purchaseToken);
      if (!token) this.hinted.add(one.purchaseToken);
      const chain = token && this.chains.get(token.chainId);
      const known = [...(chain?.transactions.values() ?? [])].map(({ snapshot }) => snapshot);
      for (const snapshot of revokedBy(one, known, at)) upsert(chain!, { snapshot, details: null });
    }
  }

  digest(chainId: string) {
    const { transactions, notes, status } = this.chains.get(chainId)!;
    return digestChain({
      ...{ chainId, status, store: 'google_play' },
      transactions: [...transactions.values()].map(({ snapshot }) => snapshot),
      renewal: [...notes.values()].at(-1)?.snapshot ?? null,
    });
  }

  history(chainId: string): ChainHistory {
    const { transactions, notes } = this.chains.get(chainId)!;
    return {
      transactions: [...transactions.values()].map(({ snapshot, details, firstEnd }) => ({
        ...{ transactionId: snapshot.transactionId, productId: snapshot.productId },
        ...{ purchasedAt: snapshot.purchasedAt, expiresAt: snapshot.expiresAt },
        ...{ firstExpiresAt: firstEnd, revokedAt: snapshot.revokedAt },
        ...{ upgraded: snapshot.upgraded, freeTrial: snapshot.freeTrial, familyShared: false },
        autoRenewable: snapshot.type === 'subscription',
        ...{ startsAt: snapshot.startsAt ?? null, refundedAt: snapshot.refundedAt ?? null },
        ...{ isAddOn: snapshot.isAddOn ?? null, planPeriod: snapshot.planPeriod ?? null },
        regularMilliunits: snapshot.regularMilliunits ?? null,
        ...{ discount: details?.discount ?? null, offer: null, offerPeriod: null },
        ...{ billedMonthly: false, country: details?.storefront ?? null },
        priceMilliunits: details?.priceMilliunits ?? null,
        currency: details?.currency ?? null,
        refundedMilliunits: details?.revocationPercentageMilliunits ?? null,
      })),
      renewals: [...notes.values()].map(({ snapshot, details }) => ({
        ...{ signedAt: snapshot.signedAt, willRenew: snapshot.willRenew },
        ...{ retrying: snapshot.inBillingRetry, graceExpiresAt: snapshot.graceExpiresAt },
        expiryReason: details.expiryReason,
      })),
    };
  }
}

function upsert({ transactions }: Chain, { snapshot, details }: PartialTransaction): void {
  const { transactionId, signedAt, expiresAt } = snapshot;
  const known = transactions.get(transactionId);
  const isNewer = !known || signedAt >= known.snapshot.signedAt;
  const ends = [known?.firstEnd, expiresAt].filter((end) => typeof end === 'number');
  transactions.set(transactionId, {
    snapshot: isNewer ? snapshot : known.snapshot,
    details: isNewer && details ? details : (known?.details ?? details),
    firstEnd: ends.length === 0 ? null : Math.min(...ends),
  });
}
