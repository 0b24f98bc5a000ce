export type EgressRequest = {
  /** https, or a host:port pair of `EGRESS_ALLOW`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** At most 64 KB. */
  body: string;
  /** A further `host:port`, which an operator opened for whose request it is. */
  alsoAllow?: string | null;
};

export type EgressAnswer = {
  status: number;
  /** What the answer's `Retry-After` says, at most an hour; left out without one. */
  retryAfterSeconds?: number;
};

export type EgressFault =
  /** The address may never be reached: trying again changes nothing until it is changed. */
  'forbidden' | 'too_large' | 'redirect' | 'timeout' | 'network';

export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EgressError';
    this.fault = fault;
  }
}

/** The only way to addresses that customers name (webhooks, forwarded notifications). */
export interface Egress {
  /** Throws `EgressError` `forbidden` for an address that could never be posted to. */
  check(url: string): void;
  /** One POST without redirects; throws `EgressError`, whatever the status answers. */
  post(request: EgressRequest): Promise<EgressAnswer>;
}
