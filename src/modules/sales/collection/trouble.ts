import { StoreFault } from '../../../providers/store/fault.ts';
import { AppError } from '../../../shared/errors.ts';

export const STOP_REASONS = [
  'rate_limited',
  'credentials_rejected',
  'role_missing',
  'store_unavailable',
  'budget',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What a fault of the store means for a connection, in words that a person can act on. */
export type Trouble = {
  because: StopReason;
  /** The key itself no longer serves. */
  invalid: boolean;
  /** Whether the store took the key for one of its own; null when the answer does not tell. */
  keyAccepted: boolean | null;
  message: string;
};

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
    because: 'rate_limited',
    invalid: false,
    keyAccepted: null,
    message: 'The store is rate limiting the key. Collecting goes on by itself later.',
  },
  unavailable: {
    because: 'store_unavailable',
    invalid: false,
    keyAccepted: null,
    message: 'The store cannot be reached right now. Collecting goes on by itself later.',
  },
  unexpected: {
    because: 'store_unavailable',
    invalid: false,
    keyAccepted: null,
    message: 'The store answers with an error of its own. Collecting goes on by itself later.',
  },
  not_found: {
    because: 'store_unavailable',
    invalid: false,
    keyAccepted: null,
    message: 'The store does not know what it was asked for.',
  },
  protocol: {
    because: 'store_unavailable',
    invalid: false,
    keyAccepted: null,
    message: 'The store gave an answer that this service does not understand.',
  },
};

export const troubleOf = (fault: StoreFault): Trouble => TROUBLES[fault.kind];

/** Whether a fault ends a run: the next request would meet it too. */
export function endsRun(fault: StoreFault): boolean {
  return fault.kind !== 'protocol' && fault.kind !== 'not_found';
}

const DEFAULT_WAIT_SECONDS = 60;

/** A fault of the store as the caller of a route is told. Anything else passes unchanged. */
export function toAppError(thrown: unknown): unknown {
  if (!(thrown instanceof StoreFault)) return thrown;
  const cause = thrown;
  switch (thrown.kind) {
    case 'credentials':
      return new AppError('store_credentials_rejected', 'The store rejected the credentials.', {
        hint: 'Check issuerId, keyId and privateKey: they must belong to one key that is not revoked.',
        cause,
      });
    case 'vendor':
      return new AppError('store_credentials_rejected', 'The store rejected the vendor number.', {
        hint: 'vendorNumber: it is shown in App Store Connect under Payments and Financial Reports; it is not the team id',
        cause,
      });
    case 'role':
      return new AppError('store_role_missing', 'The key lacks the role that reports need.', {
        hint: 'Use a team key with the role Admin, Finance or Sales; individual keys cannot read reports.',
        cause,
      });
    case 'agreement':
      return new AppError('store_agreement_required', 'The store requires a signed agreement.', {
        hint: 'The Account Holder signs it in App Store Connect under Business; the key is fine.',
        cause,
      });
    case 'not_found':
      return new AppError('not_found', 'The store has no such resource.', { cause });
    case 'rate_limited':
      return new AppError('store_rate_limited', 'The store is rate limiting the key.', {
        retryAfterSeconds: thrown.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS,
        cause,
      });
    case 'unavailable':
    case 'unexpected':
    case 'protocol':
      return new AppError('store_unavailable', 'The store did not give a usable answer.', {
        hint: 'Try again in a few minutes.',
        cause,
      });
  }
}
