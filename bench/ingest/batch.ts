export const EVENTS_PER_BATCH = 20;

const NAMES = ['app_opened', 'screen_viewed', 'paywall_viewed', 'onboarding_step', 'item_viewed'];

/** A batch as the drop-in clients send it: ids, fractional seconds, a few properties. */
export function benchBatch(batch: number, nowMs: number): string {
  const anonymousId = `0f8a1c52-7d0f-4d5e-9b1a-${String(batch % 50_000).padStart(12, '0')}`;
  const events = Array.from({ length: EVENTS_PER_BATCH }, (_, index) => ({
    id: `${batch.toString(36)}-${index}-${nowMs.toString(36)}`.padEnd(16, '0'),
    name: NAMES[(batch + index) % NAMES.length],
    ts: new Date(nowMs - (EVENTS_PER_BATCH - index) * 250).toISOString(),
    anonymousId,
    sessionId: `session-${batch % 100_000}`,
    props: { screen: `screen-${index}`, position: index, premium: batch % 7 === 0 },
  }));
  const context = { platform: 'ios', appVersion: '1.4.2', osVersion: '18.1', locale: 'de_DE' };
  return JSON.stringify({ events, context });
}
