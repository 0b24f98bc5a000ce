/** Why the store gave no usable answer. */
export type StoreFaultKind =
  /** 401: wrong issuer, key id or private key. */
  | 'credentials'
  /** 403: the key's role may not see this. */
  | 'role'
  /** 403: the Account Holder has to sign an agreement; the key is fine. */
  | 'agreement'
  /** 400: the vendor number is not one of this account. */
  | 'vendor'
  | 'not_found'
  /** 429. */
  | 'rate_limited'
  /** 5xx, a cut connection, a time-out: may work later. */
  | 'unavailable'
  /** The store's own "unexpected error", which it also answers for made-up vendor numbers. */
  | 'unexpected'
  /** An answer that does not follow the store's format. */
  | 'protocol';

export class StoreFault extends Error {
  readonly kind: StoreFaultKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: StoreFaultKind,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreFault';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Faults that a retry may cure. */
export function isTransient(fault: StoreFault): boolean {
  return fault.kind === 'unavailable' || fault.kind === 'unexpected';
}

/** A report of a shape that this service does not know. */
export class ReportFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReportFormatError';
  }
}
