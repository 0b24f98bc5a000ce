import type { ChainFacts, StatusSnapshot } from '../../src/modules/purchases/ledger/digest.ts';
import { toRenewal, toTransaction } from '../../src/providers/store-server/map.ts';
import type {
  RenewalSnapshot,
  StoreStatus,
  TransactionSnapshot,
} from '../../src/providers/store-server/port.ts';
import type { RenewalPayload, TransactionPayload } from '../simulators/store-server/payloads.ts';

type Message = {
  transaction?: TransactionPayload;
  renewal?: RenewalPayload;
  status?: StoreStatus;
  signedDate?: number;
};

/** Facts of one chain in memory, with the rule of the tables: an older one never overwrites. */
export class FactBook {
  private readonly transactions = new Map<string, TransactionSnapshot>();
  private renewal: RenewalSnapshot | null = null;
  private status: StatusSnapshot | null = null;

  apply({ transaction, renewal, status, signedDate }: Message): void {
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

  facts(originalTransactionId: string): ChainFacts {
    return {
      originalTransactionId,
      transactions: [...this.transactions.values()],
      renewal: this.renewal,
      status: this.status,
    };
  }
}
