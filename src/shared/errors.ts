export const ERROR_STATUS = {
  invalid_input: 400,
  malformed_json: 400,
  no_active_organization: 400,
  confirmation_mismatch: 400,
  invalid_batch: 400,
  store_credentials_rejected: 400,
  invalid_transaction: 400,
  transaction_not_for_app: 400,
  not_signed_in: 401,
  invalid_api_key: 401,
  invalid_service_key: 401,
  invalid_signature: 401,
  permission_denied: 403,
  store_role_missing: 403,
  store_agreement_required: 403,
  origin_not_allowed: 403,
  not_found: 404,
  store_app_not_found: 404,
  store_not_connected: 404,
  not_available: 404,
  method_not_allowed: 405,
  app_already_imported: 409,
  slug_taken: 409,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  store_rate_limited: 429,
  internal: 500,
  provider_rejected: 502,
  store_unavailable: 502,
  store_not_configured: 503,
  provider_not_configured: 503,
  secret_storage_unavailable: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, text);
}

export type AppErrorOptions = {
  /** Advice for the caller; for `invalid_input` field and rule. */
  hint?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** Logged, never sent. */
  cause?: unknown;
};

/** The only deliberate error of use-cases. */
export class AppError extends Error {
  override name = 'AppError';
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { hint, retryAfterSeconds, cause }: AppErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** For foreign and unknown ids alike. */
export function notFound(): AppError {
  return new AppError('not_found', 'No such resource.');
}

export const ORGANIZATION_HEADER = 'x-organization';

/** One of others and none alike. */
export function notYourOrganization(): AppError {
  return new AppError('not_found', 'No such resource.', {
    hint: `${ORGANIZATION_HEADER}: must be the id of an organization that you belong to`,
  });
}

export function orNotFound<T>(value: T | null | undefined | false): T {
  if (value === null || value === undefined || value === false) throw notFound();
  return value;
}

export function noSuchRoute(hint?: string): AppError {
  return new AppError('not_found', 'There is no such route.', { hint });
}

export function invalidInput(field: string, rule: string): AppError {
  return new AppError('invalid_input', 'The request is not valid.', { hint: `${field}: ${rule}` });
}

export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
