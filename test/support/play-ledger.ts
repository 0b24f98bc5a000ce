import { digestChain } from '../../src/modules/purchases/ledger/digest.ts';
import type { PartialTransaction } from '../../src/modules/purchases/ledger/signed-queries.ts';
import type { StatusAsOf } from '../../src/modules/purchases/model/chain.ts';
import type { ChainHistory } from '../../src/modules/purchases/overview/history.ts';
import { linkedToken } from '../../src/modules/purchases/play-store/linked-token.ts';
import { nextAskOf, nextAskOfProduct } from '../../src/modules/purchases/play-store/next-ask.ts';
import { toProductFacts } from '../../src/modules/purchases/play-store/product-facts.ts';
import { toPastFacts, toPlayFacts } from '../../src/modules/purchases/play-store/to-facts.ts';
import { revokedBy } from '../../src/modules/purchases/play-store/voided-facts.ts';
import {
  toOrder,
  toProduct,
  toSubscription,
  toVoidedPage,
} from '../../src/providers/play-store/map.ts';
import type { PlayFound, PlayOrder } from '../../src/providers/play-store/port.ts';
import {
  orderAnswer,
  productAnswer,
  subscriptionAnswer,
  voidedAnswer,
} from '../../src/providers/play-store/wire.ts';
import { must } from '../../src/shared/assert.ts';
import { REAL_PURCHASES, type StoreEnvironment } from '../../src/shared/environment.ts';
import type { SignedRenewal, TransactionDetails, Transaction } from '../../src/shared/purchase.ts';
import { checkAnswer } from '../simulators/play-store/schema.ts';

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
  priced: Set<string>;
  askAt: number | null;
};
type Google = {
  /** As of now; undefined of a token that Google does not have. */
  answer: (token: string) => unknown;
  order: (orderId: string) => unknown;
};

/** Stored purchases of Google Play, in memory, by the rules of the tables. */
export class PlayLedger {
  readonly chains = new Map<string, Chain>();
  readonly tokens = new Map<string, Token>();

  constructor(private readonly google: Google) {}

  /** As `askPlay` and `recordAndAnnounce`. */
  ask(token: string, at: number): void {
    const body = this.google.answer(token);
    const isSubscription = 'subscriptionState' in Object(body);
    checkAnswer(isSubscription ? 'SubscriptionPurchaseV2' : 'ProductPurchaseV2', body);
    const found: PlayFound = isSubscription
      ? { kind: 'subscription', purchase: toSubscription(subscriptionAnswer.parse(body)) }
      : { kind: 'product', purchase: toProduct(productAnswer.parse(body)) };
    this.record(token, found, at);
  }

  private ordersOf(found: PlayFound, { priced }: Token): PlayOrder[] {
    const { kind, purchase } = found;
    if (purchase.environment !== REAL_PURCHASES) return [];
    const ids = kind === 'product' ? [purchase.orderId] : purchase.lines.map((one) => one.orderId);
    const unpriced = [...new Set(ids)].filter((id) => id !== null && !priced.has(id));
    return unpriced.map((id) => {
      priced.add(must(id, 'an order'));
      const body = this.google.order(must(id, 'an order'));
      checkAnswer('Order', body);
      return toOrder(orderAnswer.parse(body));
    });
  }

  private chainOf(token: string, linked: string | null): string {
    const own = this.tokens.get(token) ?? (linked === null ? null : this.tokens.get(linked));
    const later = [...this.tokens.values()].find((one) => one.replaces === token);
    return (own ?? later)?.chainId ?? `gp_${token}`;
  }

  private record(token: string, found: PlayFound, at: number): void {
    const { kind, purchase } = found;
    const { linked, replaces } = linkedToken(found);
    const chainId = this.chainOf(token, linked);
    const before = this.tokens.get(token);
    const row: Token = before ?? { chainId, replaces, priced: new Set(), askAt: null };
    const wasReplaced = [...this.tokens.values()].some((one) => one.replaces === replaces);
    const old = replaces === null || wasReplaced ? undefined : this.tokens.get(replaces);
    if (old) old.askAt = at;
    row.replaces = replaces ?? row.replaces;
    this.tokens.set(token, row);
    const orders = this.ordersOf(found, row);
    const isReplaced = [...this.tokens.values()].some((one) => one.replaces === token);
    const next =
      kind === 'subscription'
        ? nextAskOf(purchase, new Date(at))
        : nextAskOfProduct(purchase, new Date(at));
    row.askAt = isReplaced ? null : (next?.getTime() ?? null);
    const chain = this.chains.get(chainId) ?? {
      ...{ environment: purchase.environment, transactions: new Map(), notes: new Map() },
      status: null,
    };
    this.chains.set(chainId, chain);
    const known = [...chain.transactions.values()].map(({ snapshot }) => snapshot);
    const answered = { chainId, packageName: 'com.example.app', known, orders, answeredAt: at };
    if (kind === 'product') {
      for (const one of toProductFacts({ ...answered, product: purchase })) upsert(chain, one);
      return;
    }
    const told = { ...answered, subscription: purchase };
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
        ...{ discount: details?.discount ?? null, offer: null, offerPeriod: null },
        ...{ billedMonthly: false, country: details?.storefront ?? null },
        priceMilliunits: details?.priceMilliunits ?? null,
        ...{ currency: details?.currency ?? null, refundedMilliunits: null },
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
