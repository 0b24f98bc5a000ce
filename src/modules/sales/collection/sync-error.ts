import { StoreFault } from '../../../providers/store/port.ts';
import { storeError } from '../../../shared/store-error.ts';

type StopReason = 'rate_limited' | 'credentials_rejected' | 'role_missing' | 'store_unavailable';

type Trouble = {
  because: StopReason;
  invalid: boolean;
  /** Null: the answer does not tell. */
  keyAccepted: boolean | null;
  message: string;
};

const TEMPORARY = { because: 'store_unavailable', invalid: false, keyAccepted: null } as const;

const TROUBLES: Readonly<Record<StoreFault['kind'], Trouble>> = {
  credentials: {
    because: 'credentials_rejected',
    invalid: true,
    keyAccepted: false,
    message:
      'The store does not accept the key any more. Connect again with a key that is not revoked.',
  },
  vendor: {
    because: 'credentials_rejected',
    invalid: true,
    keyAccepted: true,
    message:
      'The store does not know the vendor number for this account. It is shown in App Store Connect under Payments and Financial Reports.',
  },
  role: {
    because: 'role_missing',
    invalid: true,
    keyAccepted: true,
    message:
      'The key may not read sales reports. It must be a team key with the role Admin, Finance or Sales.',
  },
  agreement: {
    because: 'role_missing',
    invalid: false,
    keyAccepted: true,
    message:
      'The Account Holder has to sign an agreement in App Store Connect under Business before reports can be read.',
  },
  rate_limited: {
    ...TEMPORARY,
    because: 'rate_limited',
    message: 'The store is rate limiting the key. Collecting goes on by itself later.',
  },
  unavailable: {
    ...TEMPORARY,
    message: 'The store cannot be reached right now. Collecting goes on by itself later.',
  },
  unexpected: {
    ...TEMPORARY,
    message: 'The store answers with an error of its own. Collecting goes on by itself later.',
  },
  not_found: { ...TEMPORARY, message: 'The store does not know what it was asked for.' },
  protocol: {
    ...TEMPORARY,
    message: 'The store gave an answer that this service does not understand.',
  },
};

export const toSyncError = (fault: StoreFault): Trouble => TROUBLES[fault.kind];

export function endsRun(fault: StoreFault): boolean {
  return fault.kind !== 'protocol' && fault.kind !== 'not_found';
}

export function toAppError(thrown: unknown): unknown {
  if (!(thrown instanceof StoreFault)) return thrown;
  const isUnusable = thrown.kind === 'unexpected' || thrown.kind === 'protocol';
  return storeError(isUnusable ? 'unavailable' : thrown.kind, thrown);
}
