import type { DeviceContext } from '../../../context.ts';
import { type NewRecord, recordOrigin } from '../../../event-store/append.ts';
import type { LeftOut } from '../../../observability/metrics.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/record.ts';
import { createTurns } from '../../../shared/turns.ts';
import { countryOfSender } from '../countries.ts';
import type { Fields, ImportedEvent } from '../imports/event.ts';
import { noteIgnoredIds } from '../ignored-ids.ts';
import { PendingEvents } from '../imports/pending.ts';
import { takeOfDay } from '../ingest.ts';
import type { EventInput } from '../model.ts';
import { type Named, settleJoins } from '../joins.ts';
import { validateMade } from '../validate.ts';
import { isTooLong, MAX_EVENT_BYTES, Oversized } from './event-size.ts';

const MAX_MESSAGES = 20_000;

export type ReadMessage = (message: Fields) => ImportedEvent | LeftOut;
export type Refused = { index: number; reason: string };

const MAX_TOLD = 100;

/** No client sends again after a 400. */
export function tell(
  set: { status?: number | string },
  { refused, sent }: { refused: readonly Refused[]; sent: number },
) {
  const isLost = refused.length > 0 && refused.length === sent;
  if (isLost) set.status = 400;
  const first = isLost ? refused[0]?.reason : undefined;
  return { first, list: refused.length > 0 ? { refused: refused.slice(0, MAX_TOLD) } : {} };
}

type Context = DeviceContext<
  'clock' | 'config' | 'countryOf' | 'eventNames' | 'events' | 'log' | 'metrics' | 'sql'
>;

/** `ownCountry`: senders forbid address lookups. */
type Taken = { pending: PendingEvents; ownCountry: PendingEvents };

/** Nothing for what is nested too deep to be written. */
function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    return '';
  }
}

const flatFields = (message: unknown): unknown =>
  isRecord(message)
    ? Object.fromEntries(Object.entries(message).filter(([, value]) => typeof value !== 'object'))
    : message;

function refuse({ deps, ...ctx }: Context, message: unknown, thrown: unknown): string {
  const hint = thrown instanceof AppError ? thrown.hint : undefined;
  const said = (hint ?? errorMessage(thrown)).replace('events[0].', '');
  const [, field] = /^([A-Za-z]+)[:.]/.exec(said) ?? [];
  const text = textOf(thrown instanceof Oversized ? flatFields(message) : message);
  const reason = field === undefined ? 'invalid_event' : `invalid_event.${field}`;
  deps.events.rejections.add(ctx, reason, `${said} in ${text}`, deps.clock().getTime());
  deps.metrics.countRefused('invalid_event', 1);
  return said;
}

type ReadOptions = { isLong: boolean; read: ReadMessage };

function readOne(ctx: Context, message: unknown, { isLong, read }: ReadOptions) {
  if (!isRecord(message)) throw new Error('event: must be an object');
  if (isLong && isTooLong(message)) {
    throw new Oversized(`size: an event has at most ${MAX_EVENT_BYTES} bytes`);
  }
  const found = read(message);
  if (typeof found !== 'string') return found;
  ctx.deps.metrics.countLeftOut(found);
  return undefined;
}

function recordsOf(
  { deps: { countryOf }, address }: Context & { address: string },
  { pending, ownCountry }: Taken,
): Pick<NewRecord, 'body' | 'country'>[] {
  const own = ownCountry.take().map(({ text }) => ({ body: Buffer.from(text) }));
  const others = pending.take().map(({ text, context }) => ({
    ...countryOfSender({ countryOf }, address, context),
    body: Buffer.from(text),
  }));
  return [...own, ...others];
}

async function store(ctx: Context & { address: string }, taken: Taken): Promise<void> {
  const { deps, appId } = ctx;
  const count = taken.pending.count + taken.ownCountry.count;
  if (count === 0) return;
  const receivedAt = deps.clock().getTime();
  takeOfDay(ctx, count, receivedAt);
  const origin = { ...recordOrigin(ctx), receivedAt };
  try {
    const records = recordsOf(ctx, taken);
    await Promise.all(records.map((record) => deps.events.append({ ...origin, ...record })));
  } catch (error) {
    deps.events.cap.giveBack(appId, count);
    deps.events.rejections.add(ctx, 'unavailable', null, receivedAt);
    deps.metrics.countRefused('unavailable', count);
    throw error;
  }
  deps.metrics.countAccepted(count);
}

async function readAll(ctx: Context, messages: readonly unknown[], options: ReadOptions) {
  const taken: Taken = { pending: new PendingEvents(), ownCountry: new PendingEvents() };
  const refused: Refused[] = [];
  const stored: (Named & { event: EventInput; sentName: string })[] = [];
  const turns = createTurns();
  for (const [index, message] of messages.entries()) {
    if (turns.isOver()) await turns.next();
    try {
      const found = readOne(ctx, message, options);
      if (!found) continue;
      const { event, context, ignoresAddress = false, ...of } = found;
      const pending = ignoresAddress ? taken.ownCountry : taken.pending;
      const known = pending.lastLike(context);
      const checked = validateMade({ event, sentContext: context, context: known });
      pending.add(checked.event, checked.context);
      stored.push({ event: checked.event, ...of });
    } catch (thrown) {
      refused.push({ index, reason: refuse(ctx, message, thrown) });
    }
  }
  const events = stored.map((one) => one.event);
  noteIgnoredIds(ctx, events, ctx.deps.clock().getTime());
  await ctx.deps.eventNames.name(ctx, stored);
  await settleJoins(ctx.deps, ctx, stored);
  return { taken, refused };
}

/** Durable when it resolves. Empties `messages` to free memory. */
export async function takeMessages(
  ctx: Context & { address: string; rawBody: string },
  messages: unknown[],
  read: ReadMessage,
): Promise<{ refused: Refused[]; sent: number }> {
  const sent = messages.length;
  if (sent > MAX_MESSAGES) {
    const hint = `A batch holds at most ${MAX_MESSAGES} events.`;
    throw new AppError('body_too_large', 'The batch holds too many events.', { hint });
  }
  const { rawBody } = ctx;
  const isLong = rawBody.length > MAX_EVENT_BYTES || Buffer.byteLength(rawBody) > MAX_EVENT_BYTES;
  const { taken, refused } = await readAll(ctx, messages, { isLong, read });
  messages.length = 0;
  await store(ctx, taken);
  return { refused, sent };
}
