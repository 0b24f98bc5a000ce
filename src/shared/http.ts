import { toWellFormedJson } from './well-formed-json.ts';

export type HttpFaultKind = 'timeout' | 'network' | 'too_large' | 'redirect';

/** The server may still have processed the request. */
export class HttpFault extends Error {
  override name = 'HttpFault';

  constructor(
    readonly kind: HttpFaultKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** Sent verbatim; set `content-type` in `headers`. */
  body?: string;
  /** Includes the response body. */
  timeoutMs: number;
  /** Response limit, after decompression. */
  maxBytes: number;
  signal?: AbortSignal;
};

export type HttpAnswer = { status: number; headers: Headers; bytes: Uint8Array };

/** Rejects redirects, which would forward credentials. */
export async function httpRequest(request: HttpRequest): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await fetch(request.url, {
      method: request.method,
      redirect: 'manual',
      signal,
      // A broken reused connection might resend a write.
      keepalive: request.method === 'GET',
      ...(request.headers ? { headers: request.headers } : {}),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new HttpFault('redirect', `${request.url.host} answered with a redirect.`);
    }
    const bytes = await readAtMost(response, request);
    return { status: response.status, headers: response.headers, bytes };
  } catch (thrown) {
    if (thrown instanceof HttpFault) throw thrown;
    if (timeout.aborted) {
      throw new HttpFault(
        'timeout',
        `${request.url.host} did not answer within ${request.timeoutMs} ms.`,
        thrown,
      );
    }
    throw new HttpFault('network', `The exchange with ${request.url.host} broke off.`, thrown);
  }
}

async function readAtMost(response: Response, request: HttpRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > request.maxBytes) {
      throw new HttpFault(
        'too_large',
        `${request.url.host} answered with more than ${request.maxBytes} bytes.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Invalid UTF-8 becomes U+FFFD. */
export function decodeText(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.bytes);
}

/** Undefined for invalid JSON. */
export function decodeJson(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(toWellFormedJson(decodeText(answer)));
  } catch {
    return undefined;
  }
}
