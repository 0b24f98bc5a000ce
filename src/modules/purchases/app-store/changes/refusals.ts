import { AppError, invalidInput } from '../../../../shared/errors.ts';
import { ProviderError } from '../../../../shared/provider-error.ts';
import { toStoreError } from '../../model/store.ts';

const CONFLICTS: Readonly<Record<number, string>> = {
  4000185: 'A purchase shared by the family cannot be changed: change that of who bought it.',
  4030004:
    'This subscription cannot be extended now: it must be active, in a period that was paid.',
  4030005: 'This subscription was extended twice within 365 days, the most that the store allows.',
  4030007: 'A subscription shared by the family cannot be extended: extend that of who bought it.',
};

const FIELDS: Readonly<Record<number, readonly [field: string, rule: string]>> = {
  4000006: ['originalTransactionId', 'must be a transaction id of the store'],
  4000008: ['originalTransactionId', 'must be the original transaction id of a subscription'],
  4000009: ['days', 'must be 1 to 90, as the store sees it'],
  4000010: ['reason', 'must be one that the store knows'],
  4000011: ['requestIdentifier', 'must be 1 to 128 characters, as the store sees it'],
  4000183: ['appAccountToken', 'must be a UUID'],
  4000187: ['originalTransactionId', 'must be the original transaction id, not that of a renewal'],
};

const UNKNOWN: ReadonlySet<number> = new Set([4_040_001, 4_040_005, 4_040_010]);

/** Names what the store refused; others become the store's errors. */
export function toRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  const code = thrown.code ?? 0;
  const conflict = CONFLICTS[code];
  if (conflict !== undefined) return new AppError('conflict', conflict, { cause: thrown });
  const field = FIELDS[code];
  if (field) return invalidInput(...field);
  if (UNKNOWN.has(code) || thrown.failure === 'not_found') {
    return new AppError('not_found', 'The store does not know this purchase here.', {
      hint: 'originalTransactionId, environment: both as in the answers about the customer',
      cause: thrown,
    });
  }
  return toStoreError(thrown);
}
