import { AppError, type ErrorCode } from '../../shared/errors.ts';
import { ProviderError, type ProviderFailure } from '../../shared/provider-error.ts';

type Words = { code: ErrorCode; message: string; hint?: string };

const AWAY: Words = {
  code: 'store_unavailable',
  message: 'The store cannot be reached right now.',
};

const WORDS: Readonly<Record<ProviderFailure, Words>> = {
  unauthorized: {
    code: 'store_credentials_rejected',
    message: 'The store does not accept the key.',
    hint: 'Check issuerId, keyId and that the key is an In-App Purchase key of this team.',
  },
  forbidden: { code: 'store_role_missing', message: 'The key may not be used for this.' },
  rate_limited: { code: 'store_rate_limited', message: 'The store wants to be asked less often.' },
  not_found: AWAY,
  conflict: AWAY,
  invalid: AWAY,
  unavailable: AWAY,
  malformed: AWAY,
};

/** What a failed exchange with the store means to our caller; other faults pass unchanged. */
export function toStoreAppError(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  const { code, message, hint } = WORDS[thrown.failure];
  return new AppError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(thrown.retryAfterSeconds === undefined
      ? {}
      : { retryAfterSeconds: thrown.retryAfterSeconds }),
    cause: thrown,
  });
}
