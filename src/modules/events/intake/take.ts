import type { DeviceContext } from '../../../context.ts';
import { recordOrigin } from '../../../event-store/append.ts';
import type { LeftOut } from '../../../observability/metrics.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/record.ts';
import { countryOfSender } from '../countries.ts';
import { takeOfDay } from '../daily-events.ts';
import type { Fields, ImportedEvent } from '../imports/event.ts';
import { PendingEvents } from '../imports/pending.ts';
import { validateMade } from '../validate.ts';

const MAX_EVENT_BYTES = 32 * 1024;
const MAX_MESSAGES = 20_000;
const EXAMPLE_CHARACTERS = 300;

export type ReadMessage = (message: Fields) => ImportedEvent | LeftOut;
export type Refused = { index: number; reason: string };

type Context = DeviceContext<'clock' | 'config' | 'countryOf' | 'events' | 'metrics'>;

/** `ownCountry`: of clients that forbid to look at their address. */
type Taken = { pending: PendingEvents; ownCountry: PendingEvents };

/** Nothing for what is nested too deep to be written. */
function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    return '';
  }
}

function refuse({ deps, ...ctx }: Context, message: unknown, thrown: unknown): string {
  const hint = thrown instanceof AppError ? thrown.hint : undefined;
  const said = (hint ?? errorMessage(thrown)).replace('events[0].', '');
  const [, field] = /^([A-Za-z]+)[:.]/.exec(said) ?? [];
  const example = `${said} in ${textOf(message)}`.slice(0, EXAMPLE_CHARACTERS);
  const reason = field === undefined ? 'invalid_event' : `invalid_event.${field}`;
  const storable = example.replaceAll('\u0000', '').toWellFormed();
  deps.events.rejections.add(ctx, reason, storable, deps.clock().getTime());
  deps.metrics.countRefused('invalid_event', 1);
  return said;
}

const ESCAPE_BYTES = 6;
const NUMBER_BYTES = 25;

const MAX_DEPTH = 1_000;

/** At most, of its JSON; counted faster than written. Throws where its nesting could not be. */
function boundOfBytes(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length * ESCAPE_BYTES + 2;
  if (depth > MAX_DEPTH) throw new Error(`event: at most ${MAX_DEPTH} levels deep`);
  let bytes = NUMBER_BYTES;
  if (Array.isArray(value)) for (const one of value) bytes += boundOfBytes(one, depth + 1) + 1;
  else if (isRecord(value)) {
    for (const name in value) {
      bytes += name.length * ESCAPE_BYTES + boundOfBytes(value[name], depth + 1) + 4;
    }
  }
  return bytes;
}

const isTooLong = (message: Fields): boolean =>
  boundOfBytes(message) > MAX_EVENT_BYTES &&
  Buffer.byteLength(JSON.stringify(message)) > MAX_EVENT_BYTES;

function readOne(ctx: Context, message: unknown, isLong: boolean, read: ReadMessage) {
  if (!isRecord(message)) throw new Error('event: must be an object');
  if (isLong && isTooLong(message)) {
    throw new Error(`size: an event has at most ${MAX_EVENT_BYTES} bytes`);
  }
  const found = read(message);
  if (typeof found !== 'string') return found;
  ctx.deps.metrics.countLeftOut(found);
  return undefined;
}

async function append(
  ctx: Context,
  { pending, ownCountry }: Taken,
  { address, receivedAt }: { address: string; receivedAt: number },
): Promise<void> {
  const origin = recordOrigin(ctx);
  const { countryOf, events } = ctx.deps;
  const stored: Promise<void>[] = [];
  const add = (text: string, country: { country?: string }) =>
    stored.push(events.append({ ...origin, ...country, receivedAt, body: Buffer.from(text) }));
  for (const { text } of ownCountry.batches()) add(text, {});
  for (const { text, context } of pending.batches()) {
    add(text, countryOfSender({ countryOf }, address, context));
  }
  await Promise.all(stored);
}

type Stored = { taken: Taken; address: string; count: number };

async function store(ctx: Context, { taken, address, count }: Stored): Promise<void> {
  const { deps, appId } = ctx;
  const receivedAt = deps.clock().getTime();
  takeOfDay(ctx, count, receivedAt);
  try {
    await append(ctx, taken, { address, receivedAt });
  } catch (error) {
    deps.events.cap.giveBack(appId, count);
    deps.events.rejections.add(ctx, 'unavailable', null, receivedAt);
    deps.metrics.countRefused('unavailable', count);
    throw error;
  }
  deps.metrics.countAccepted(count);
}

/** Other products' messages, one by one; durable when it resolves. */
export async function takeMessages(
  ctx: Context & { address: string; rawBody: string },
  messages: readonly unknown[],
  read: ReadMessage,
): Promise<Refused[]> {
  if (messages.length > MAX_MESSAGES) {
    const hint = `A batch holds at most ${MAX_MESSAGES} events.`;
    throw new AppError('body_too_large', 'The batch holds too many events.', { hint });
  }
  const taken: Taken = { pending: new PendingEvents(), ownCountry: new PendingEvents() };
  const refused: Refused[] = [];
  const isLong = Buffer.byteLength(ctx.rawBody) > MAX_EVENT_BYTES;
  let count = 0;
  messages.forEach((message, index) => {
    try {
      const found = readOne(ctx, message, isLong, read);
      if (!found) return;
      const { event, context, ignoresAddress = false } = found;
      const pending = ignoresAddress ? taken.ownCountry : taken.pending;
      const known = pending.lastLike(context);
      const checked = validateMade({ event, sentContext: context, context: known });
      pending.add(checked.event, checked.context);
      count += 1;
    } catch (thrown) {
      refused.push({ index, reason: refuse(ctx, message, thrown) });
    }
  });
  if (count > 0) await store(ctx, { taken, address: ctx.address, count });
  return refused;
}
