import type { SimEnvironment } from './payloads.ts';

export type Attempt = {
  attemptDate: number;
  sendAttemptResult: 'SUCCESS' | 'UNSUCCESSFUL_HTTP_RESPONSE_CODE' | 'NO_RESPONSE' | 'TIMED_OUT';
};

export type SenderOptions = {
  /** Base address of the service. */
  url: string;
  environment: SimEnvironment;
  /** The store waits 1, 12, 24, 48 and 72 hours after the attempt before; the sandbox never retries. */
  retryDelaysMs: readonly number[];
  timeoutMs?: number;
};

async function attempt(options: SenderOptions, signedPayload: string): Promise<Attempt> {
  const attemptDate = Date.now();
  try {
    const answer = await fetch(`${options.url}/v1/purchases/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ signedPayload }),
      signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
    });
    await answer.text();
    const taken = answer.status >= 200 && answer.status <= 206;
    return {
      attemptDate,
      sendAttemptResult: taken ? 'SUCCESS' : 'UNSUCCESSFUL_HTTP_RESPONSE_CODE',
    };
  } catch (thrown) {
    const isTimeout = thrown instanceof Error && thrown.name === 'TimeoutError';
    return { attemptDate, sendAttemptResult: isTimeout ? 'TIMED_OUT' : 'NO_RESPONSE' };
  }
}

/** Sends one notification as the store does: again, unchanged, until it is taken or given up. */
export async function sendNotification(
  options: SenderOptions,
  signedPayload: string,
): Promise<Attempt[]> {
  const attempts = [await attempt(options, signedPayload)];
  const delays = options.environment === 'Production' ? options.retryDelaysMs : [];
  for (const delayMs of delays) {
    if (attempts.at(-1)?.sendAttemptResult === 'SUCCESS') break;
    await Bun.sleep(delayMs);
    attempts.push(await attempt(options, signedPayload));
  }
  return attempts;
}
