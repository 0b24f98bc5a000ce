import { AppError, type ErrorCode } from './errors.ts';

/** Why an API of the App Store did not do what it was asked to. */
export type StoreFailure =
  /** 401: wrong issuer, key id or private key. */
  | 'credentials'
  /** 400: the vendor number is not one of this account. */
  | 'vendor'
  /** 403: the key's role may not see this. */
  | 'role'
  /** 403: the Account Holder has to sign an agreement; the key is fine. */
  | 'agreement'
  | 'not_found'
  /** 429. */
  | 'rate_limited'
  /** 5xx, a cut connection, a time-out: may work later. */
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

/** The sentence of ours with this message, with its hint; null where none has it. */
export function storeSentence(said: string): { message: string; hint: string | undefined } | null {
  const found = Object.values(ERRORS).find(({ message }) => message === said);
  return found ? { message: found.message, hint: found.hint } : null;
}

/** What a failed exchange with the App Store means to the caller of a route. */
export function storeError(
  failure: StoreFailure,
  cause: Error & { retryAfterSeconds?: number | undefined },
): AppError {
  const { code, message, hint } = ERRORS[failure];
  const isLimited = failure === 'rate_limited';
  const retryAfterSeconds = cause.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
  return new AppError(code, message, { cause, hint, ...(isLimited && { retryAfterSeconds }) });
}
