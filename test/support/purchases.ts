import type { ChainFacts } from '../../src/modules/purchases/ledger/digest.ts';
import type { StatusAsOf } from '../../src/modules/purchases/model/chain.ts';
import { toRenewal, toStatus, toTransaction } from '../../src/providers/store-server/map.ts';
import type { Renewal, Transaction } from '../../src/shared/purchase.ts';
import type { RenewalPayload, TransactionPayload } from '../simulators/store-server/payloads.ts';

type Message = {
  transaction?: TransactionPayload;
  renewal?: RenewalPayload;
  /** By the number that the store sends. */
  status?: number;
  signedDate?: number;
};

/** Facts of one chain in memory, with the rule of the tables: an older one never overwrites. */
export class FactBook {
  private readonly transactions = new Map<string, Transaction>();
  private renewal: Renewal | null = null;
  private status: StatusAsOf | null = null;

  apply({ transaction, renewal, signedDate, ...message }: Message): void {
    const status = toStatus(message.status);
    const bought = transaction ? toTransaction(transaction) : null;
    const renews = renewal ? toRenewal(renewal) : null;
    if (bought) {
      const known = this.transactions.get(bought.transactionId);
      if (!known || known.signedAt <= bought.signedAt) {
        this.transactions.set(bought.transactionId, bought);
      }
    }
    if (renews && (this.renewal?.signedAt ?? 0) <= renews.signedAt) this.renewal = renews;
    const asOf = Math.max(signedDate ?? 0, bought?.signedAt ?? 0, renews?.signedAt ?? 0);
    if (status && (this.status?.asOf ?? 0) <= asOf) {
      this.status = { status, asOf, transactionId: bought?.transactionId ?? null };
    }
  }

  facts(chainId: string): ChainFacts {
    return {
      chainId,
      transactions: [...this.transactions.values()],
      renewal: this.renewal,
      status: this.status,
    };
  }
}
