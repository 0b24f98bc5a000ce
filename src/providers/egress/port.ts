export type EgressRequest = {
  /** https, or a host:port pair of `EGRESS_ALLOW`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** At most 64 KB. */
  body: string;
};

export type EgressAnswer = {
  status: number;
  /** `Retry-After`, at most an hour. */
  retryAfterSeconds?: number;
};

export type EgressQuestion = Omit<EgressRequest, 'body'> & {
  method: 'GET' | 'POST';
  body?: string;
};

export type EgressReply = EgressAnswer & {
  headers: Readonly<Record<string, string>>;
  /** At most 64 KB. */
  text: string;
};

export type EgressFault = 'forbidden' | 'too_large' | 'redirect' | 'timeout' | 'network';

export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EgressError';
    this.fault = fault;
  }
}

/** The only way to customer-supplied URLs (SSRF protection). */
export interface Egress {
  /** Throws `EgressError` `forbidden` for URLs never allowed. */
  check(url: string): void;
  /** No redirects; resolves for any status at once, else throws `EgressError`. */
  post(request: EgressRequest): Promise<EgressAnswer>;
  /** As `post`, with what is answered. */
  ask(question: EgressQuestion): Promise<EgressReply>;
}
