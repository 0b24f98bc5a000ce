import { describe, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { createWebhookSecret, signedHeaders } from '../../../src/shared/webhook-signature.ts';
import { MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from '../../../src/temporal/contracts/webhooks.ts';
import { nextDelaySeconds } from '../../../workflows/webhook-delivery.state.ts';

describe('the waits between attempts', () => {
  test('grow, and end after about a day', () => {
    expect(RETRY_DELAYS_SECONDS).toEqual(RETRY_DELAYS_SECONDS.toSorted((a, b) => a - b));
    const [minute, hour] = [60, 3_600];
    // As docs/webhooks.md says.
    expect(RETRY_DELAYS_SECONDS).toEqual([
      5,
      minute,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      10 * hour,
    ]);
    const hours = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
    expect(hours).toBeWithin(24, 36);
  });

  test('there is one after each attempt but the last', () => {
    for (let failed = 1; failed < MAX_ATTEMPTS; failed += 1) {
      expect(nextDelaySeconds(failed)).toBe(RETRY_DELAYS_SECONDS[failed - 1]!);
    }
    expect(nextDelaySeconds(MAX_ATTEMPTS)).toBeNull();
  });
});

describe('signatures', () => {
  test('are those of Standard Webhooks', () => {
    const secret = createWebhookSecret();
    const body = '{"type":"app.created","data":{}}';
    const headers = signedHeaders([secret], { id: 'dlv_1', at: new Date(), body });
    expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Verifier(createWebhookSecret()).verify(body, headers)).toThrow();
  });
});
