import { AppError, type ErrorCode } from './errors.ts';
import { ProviderError, type ProviderFailure } from './provider-error.ts';

export const GOOGLE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_app_not_found',
  'store_rate_limited',
  'store_unavailable',
] as const;

const UNAVAILABLE = {
  code: 'store_unavailable',
  message: 'Google Play did not give a usable answer.',
} as const;

const ERRORS: Readonly<Record<ProviderFailure, { code: ErrorCode; message: string }>> = {
  unauthorized: {
    code: 'store_credentials_rejected',
    message: 'Google rejected the key of the service account.',
  },
  forbidden: {
    code: 'store_role_missing',
    message: 'The service account lacks a permission that this needs.',
  },
  not_found: { code: 'store_app_not_found', message: 'Google Play has no such app.' },
  rate_limited: { code: 'store_rate_limited', message: 'Google Play is rate limiting the key.' },
  conflict: UNAVAILABLE,
  invalid: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  malformed: UNAVAILABLE,
};

const WAIT_SECONDS = 60;

/** Maps a failure of Google Play, with what to do; other errors pass unchanged. */
export function toGoogleError(thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError)) return thrown;
  const { code, message } = ERRORS[thrown.failure];
  const isLimited = thrown.failure === 'rate_limited';
  return new AppError(code, message, {
    cause: thrown,
    hint: thrown.message,
    ...(isLimited && { retryAfterSeconds: thrown.retryAfterSeconds ?? WAIT_SECONDS }),
  });
}

const OF_THE_KEY: ReadonlySet<ProviderFailure> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
]);

/** Somebody has to do something about it. */
export const isOfTheKey = (thrown: unknown): thrown is ProviderError =>
  thrown instanceof ProviderError && OF_THE_KEY.has(thrown.failure);

/** The same question once more, since one stray refusal is none. */
export const askAgainIfRefused = <T>(
  ask: () => Promise<T>,
  isRefusal: (thrown: unknown) => boolean = isOfTheKey,
): Promise<T> =>
  ask().catch((thrown: unknown) => {
    if (isRefusal(thrown)) return ask();
    throw thrown;
  });
