import {
  ApplicationFailure,
  defaultPayloadConverter,
  type PayloadConverter,
} from '@temporalio/common';

/** A payload as the converter gets it. */
type Payload = Parameters<PayloadConverter['fromPayload']>[0];

/** In a payload's metadata, after decoding only: it never leaves the worker. */
const PLAIN_UNTIL = 'plain-until';

/** Values that came without encryption, each with the time until which a run could have that. */
const plainValues = new WeakMap<object, number>();

/** For the codec, which sees what was encrypted, but not whose it is. */
export function markPlain(payload: Payload, until: Date): Payload {
  const mark = new TextEncoder().encode(String(until.getTime()));
  return { ...payload, metadata: { ...payload.metadata, [PLAIN_UNTIL]: mark } };
}

/** The default converter, which also remembers which values came without encryption. */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload: <T>(
    payload: Payload,
    context?: Parameters<PayloadConverter['fromPayload']>[1],
  ): T => {
    const value = defaultPayloadConverter.fromPayload<T>(payload, context);
    const mark = payload.metadata?.[PLAIN_UNTIL];
    if (mark && typeof value === 'object' && value !== null) {
      plainValues.set(value, Number(new TextDecoder().decode(mark)));
    }
    return value;
  },
};

/** The time until which runs could hold these values unencrypted; undefined when none of them is. */
export function plainUntil(values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const until = typeof value === 'object' && value !== null ? plainValues.get(value) : undefined;
    if (until !== undefined) return until;
  }
  return undefined;
}

/**
 * Refuses plain input of a run that began after payloads were encrypted: whoever sent it does not
 * have the key. Throws a failure that no attempt cures.
 */
export function refusePlain(values: readonly unknown[], runStartMs: number): void {
  const until = plainUntil(values);
  if (until === undefined || runStartMs < until) return;
  throw ApplicationFailure.nonRetryable(
    'The input is not encrypted, and the run began after payloads were encrypted.',
    'payload_not_encrypted',
  );
}
