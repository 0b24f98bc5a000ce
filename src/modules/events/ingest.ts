import type { DeviceContext } from '../../context.ts';
import { recordOrigin, DailyCap } from '../../event-store/append.ts';
import { AppError } from '../../shared/errors.ts';
import { countryOfSender } from './countries.ts';
import { noteNamed } from './joins.ts';
import { countIgnoredFields, noteIgnoredIds } from './ignored-ids.ts';
import type { BatchAccepted, EventBatch } from './model.ts';
import { validateBatch } from './validate.ts';

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

export type IngestInput = {
  body: unknown;
  /** Body as sent, kept unchanged in the log. */
  rawBody: string;
  /** Network address; not stored. */
  address: string;
};

function checked(
  ctx: DeviceContext<'events' | 'metrics'>,
  { body, rawBody }: IngestInput,
  nowMs: number,
): EventBatch {
  try {
    return validateBatch(body);
  } catch (error) {
    const hint = error instanceof AppError ? error.hint : undefined;
    ctx.deps.events.rejections.add(ctx, 'invalid_batch', `${hint ?? ''} in ${rawBody}`, nowMs);
    ctx.deps.metrics.countRefused('invalid_batch', 1);
    throw error;
  }
}

/** All or nothing. Throws `invalid_batch` with event and field. */
export async function ingestBatch(
  ctx: DeviceContext<'clock' | 'config' | 'countryOf' | 'events' | 'metrics'>,
  input: IngestInput,
): Promise<BatchAccepted> {
  const { deps, appId } = ctx;
  const receivedAt = deps.clock().getTime();
  const batch = checked(ctx, input, receivedAt);
  const { events } = batch;
  const { cap, rejections } = deps.events;
  takeOfDay(ctx, events.length, receivedAt);
  try {
    const body = Buffer.from(input.rawBody);
    const country = countryOfSender(deps, input.address, batch.context);
    await deps.events.append({ ...recordOrigin(ctx), ...country, receivedAt, body });
  } catch (error) {
    cap.giveBack(appId, events.length);
    rejections.add(ctx, 'unavailable', null, receivedAt);
    deps.metrics.countRefused('unavailable', events.length);
    throw error;
  }
  noteIgnoredIds(ctx, events, receivedAt);
  noteNamed(appId, events);
  deps.metrics.countAccepted(events.length);
  deps.metrics.countIgnoredFields(countIgnoredFields(batch));
  return { accepted: events.length };
}
