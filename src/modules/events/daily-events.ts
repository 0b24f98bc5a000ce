import type { DeviceContext } from '../../context.ts';
import { DailyCap } from '../../event-store/append.ts';
import { AppError } from '../../shared/errors.ts';

/** Events per app and UTC day, unless raised by an operator. */
const EVENTS_PER_DAY = 5_000_000;

function overCap(nowMs: number, cap: number): AppError {
  return new AppError('rate_limited', 'This app has reached its daily limit of events.', {
    hint: `At most ${cap} events on a day (UTC).`,
    retryAfterSeconds: DailyCap.secondsLeft(nowMs),
  });
}

/** Throws `rate_limited` for all of them. */
export function takeOfDay(
  ctx: DeviceContext<'config' | 'events' | 'metrics'>,
  events: number,
  nowMs: number,
): void {
  const { deps, appId, limits } = ctx;
  const perDay = (limits.eventsPerDay ?? EVENTS_PER_DAY) * deps.config.rateLimitScale;
  if (deps.events.cap.take(appId, events, perDay, nowMs)) return;
  deps.events.rejections.add(ctx, 'daily_cap', null, nowMs);
  deps.metrics.countRefused('daily_cap', events);
  throw overCap(nowMs, perDay);
}
