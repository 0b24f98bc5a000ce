import { AppError } from './errors.ts';
import { ProviderError, type ProviderFailure } from './provider-error.ts';

const HINTS: Readonly<Record<ProviderFailure, string>> = {
  unauthorized: 'It does not accept the credentials that are configured on the server.',
  forbidden: 'It does not allow this with the credentials that are configured on the server.',
  not_found: 'It does not know this resource.',
  conflict: 'It reports a conflict with its own state.',
  invalid: 'It refused the request.',
  rate_limited: 'It is rate limiting the server; try again later.',
  unavailable: 'It gave no usable answer; try again later.',
  malformed: 'Its answer could not be parsed.',
};

/** 502 `provider_rejected`; rethrows other errors. */
export function toRejection(thrown: unknown, what: string): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  const { failure, retryAfterSeconds } = thrown;
  return new AppError('provider_rejected', `The ${what} provider could not do this.`, {
    hint: HINTS[failure],
    cause: thrown,
    retryAfterSeconds,
  });
}
