import { AppError, type ErrorCode } from './errors.ts';

export type StoreFailure =
  | 'credentials'
  | 'vendor'
  /** 403: insufficient role of the key. */
  | 'role'
  /** Awaits the Account Holder; the key is fine. */
  | 'agreement'
  | 'not_found'
  /** 429. */
  | 'rate_limited'
  | 'unavailable';

const DEFAULT_WAIT_SECONDS = 60;

const ERRORS: Readonly<Record<StoreFailure, { code: ErrorCode; message: string; hint?: string }>> =
  {
    credentials: {
      code: 'store_credentials_rejected',
      message: 'The store rejected the key.',
      hint: 'Check issuerId, keyId and privateKey: they must belong to one key of this team that is not revoked. Sales need a team key, purchases an In-App Purchase key.',
    },
    vendor: {
      code: 'store_credentials_rejected',
      message: 'The store rejected the vendor number.',
      hint: 'vendorNumber: it is shown in App Store Connect under Payments and Financial Reports; it is not the team id',
    },
    role: {
      code: 'store_role_missing',
      message: 'The key lacks the role that this needs.',
      hint: 'Sales reports need a team key with the role Admin, Finance or Sales; individual keys cannot read them.',
    },
    agreement: {
      code: 'store_agreement_required',
      message: 'The store requires a signed agreement.',
      hint: 'The Account Holder signs it in App Store Connect under Business; the key is fine.',
    },
    not_found: { code: 'not_found', message: 'The store has no such resource.' },
    rate_limited: {
      code: 'store_rate_limited',
      message: 'The store is rate limiting the key.',
    },
    unavailable: {
      code: 'store_unavailable',
      message: 'The store did not give a usable answer.',
      hint: 'Try again in a few minutes.',
    },
  };

/** Our message with its hint; null for other texts. */
export function storeSentence(said: string): { message: string; hint: string | undefined } | null {
  const found = Object.values(ERRORS).find(({ message }) => message === said);
  return found ? { message: found.message, hint: found.hint } : null;
}

export function storeError(
  failure: StoreFailure,
  cause: Error & { retryAfterSeconds?: number | undefined },
): AppError {
  const { code, message, hint } = ERRORS[failure];
  const isLimited = failure === 'rate_limited';
  const retryAfterSeconds = cause.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
  return new AppError(code, message, { cause, hint, ...(isLimited && { retryAfterSeconds }) });
}
