import { invalidInput } from '../../shared/errors.ts';

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

/** Throws `invalid_input`. */
export function checkAddress(egress: Pick<Egress, 'check'>, url: string, field: string): void {
  try {
    egress.check(url);
  } catch (thrown) {
    if (thrown instanceof EgressError) throw invalidInput(field, thrown.message);
    throw thrown;
  }
}

export type PostResult = {
  isAccepted: boolean;
  status: number | null;
  fault: EgressFault | null;
  reason: string;
  retryAfterSeconds: number | null;
};

export async function tryPost(
  egress: Pick<Egress, 'post'>,
  request: EgressRequest,
): Promise<PostResult> {
  try {
    const { status, retryAfterSeconds = null } = await egress.post(request);
    const isAccepted = status >= 200 && status < 300;
    const reason = `The address answered ${status}.`;
    return { isAccepted, status, fault: null, reason, retryAfterSeconds };
  } catch (thrown) {
    if (!(thrown instanceof EgressError)) throw thrown;
    const { fault, message: reason } = thrown;
    return { isAccepted: false, status: null, fault, reason, retryAfterSeconds: null };
  }
}
