import type { SystemContext } from '../../../context.ts';
import { recordOrigin } from '../../../event-store/append.ts';
import { AppError, messageOf } from '../../../shared/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { type BatchContext, type EventInput, MAX_BATCH_EVENTS } from '../model.ts';
import { validateBatch } from '../validate.ts';
import { type ImportFormat, readRecord, recognise, toImported } from './formats.ts';
import {
  type ImportedFile,
  saveProgress,
  selectOrganizationOf,
  selectProgress,
} from './queries.ts';
import { type ExportedRecord, LINE_MAX_CHARACTERS, recordsOf } from './records.ts';
import { hashOf } from './unpack.ts';

/** As far back as an event keeps its time (docs/events.md). */
const OLDEST_DAYS = 400;
const AHEAD_MS = 10 * MINUTE_MS;
/** Lines between two notes of the progress: what is read again after a crash, at most. */
const LINES_AT_ONCE = 5_000;
const BATCH_MAX_CHARACTERS = 60_000;
const EXAMPLES_MAX = 3;

export type ImportInput = {
  appId: string;
  path: string;
  /** Recognised by the first line where left out. */
  format?: ImportFormat | undefined;
  report?: (text: string) => void;
  signal?: AbortSignal;
};

export type Refusal = { reason: string; lines: number; examples: number[] };
export type Imported = {
  format: ImportFormat;
  lines: number;
  events: number;
  /** Lines of what the other product writes for itself. */
  leftOut: number;
  refusals: Refusal[];
  /** This very content was imported before: nothing was done. */
  wasThere: boolean;
};

/** What is wrong with lines, each reason with the numbers of the first lines. */
class Refusals {
  private readonly byReason = new Map<string, Refusal>();

  add(reason: string, line: number): void {
    const refusal = this.byReason.get(reason) ?? { reason, lines: 0, examples: [] };
    refusal.lines += 1;
    if (refusal.examples.length < EXAMPLES_MAX) refusal.examples.push(line);
    this.byReason.set(reason, refusal);
  }

  list(): Refusal[] {
    return [...this.byReason.values()].toSorted((one, other) => other.lines - one.lines);
  }
}

/** Throws for an event that the intake would refuse, or whose time it would not keep. */
function check(event: EventInput, context: BatchContext, nowMs: number): void {
  try {
    validateBatch({ events: [event], context });
  } catch (thrown) {
    const hint = thrown instanceof AppError ? thrown.hint : undefined;
    throw new Error(hint?.replace('events[0].', '') ?? messageOf(thrown));
  }
  if (event.ts === undefined) throw new Error('ts: there is no time');
  const ms = Date.parse(event.ts);
  if (nowMs - ms > OLDEST_DAYS * DAY_MS) throw new Error(`ts: older than ${OLDEST_DAYS} days`);
  if (ms - nowMs > AHEAD_MS) throw new Error('ts: lies in the future');
}

/** Events of some lines, by the context that a batch has. */
type Pending = Map<string, { context: BatchContext; events: EventInput[] }>;

function addPending(pending: Pending, event: EventInput, context: BatchContext): void {
  const key = JSON.stringify(context);
  const group = pending.get(key) ?? { context, events: [] };
  group.events.push(event);
  pending.set(key, group);
}

/** Puts the event of a record to those that wait; false for one of the other product's own. */
function take(
  pending: Pending,
  format: ImportFormat,
  record: ExportedRecord,
  nowMs: number,
): boolean {
  if (typeof record === 'string' && record.length > LINE_MAX_CHARACTERS)
    throw new Error('the line is too long');
  const imported = toImported(format, readRecord(record));
  if (!imported) return false;
  check(imported.event, imported.context, nowMs);
  addPending(pending, imported.event, imported.context);
  return true;
}

const isBlank = (record: ExportedRecord) => typeof record === 'string' && record.trim() === '';

/** Events in batches that are no larger than those of a device. */
function* batchesOf(events: readonly EventInput[]): Generator<EventInput[]> {
  let batch: EventInput[] = [];
  let characters = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    if (batch.length === MAX_BATCH_EVENTS || characters + length > BATCH_MAX_CHARACTERS) {
      if (batch.length > 0) yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(event);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** Appends what waits to the event log, durably. Returns the number of events. */
async function append(
  { deps }: SystemContext<'clock' | 'events'>,
  { orgId, appId }: ImportedFile,
  pending: Pending,
): Promise<number> {
  const origin = recordOrigin({ orgId, appId, keyId: 'import', environment: 'production' });
  const receivedAt = deps.clock().getTime();
  let count = 0;
  for (const { context, events } of pending.values()) {
    for (const batch of batchesOf(events)) {
      const body = Buffer.from(JSON.stringify({ events: batch, context }));
      await deps.events.append({ ...origin, receivedAt, body });
      count += batch.length;
    }
  }
  pending.clear();
  return count;
}

async function findFile(
  { deps }: SystemContext<'sql'>,
  { appId, path }: ImportInput,
): Promise<ImportedFile> {
  const orgId = await selectOrganizationOf(deps.sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  return { orgId, appId, contentHash: await hashOf(path) };
}

function formatOf(record: ExportedRecord, given: ImportFormat | undefined): ImportFormat {
  const format = given ?? recognise(readRecord(record));
  if (format) return format;
  throw new AppError('invalid_input', 'The format of the file is not recognised.', {
    hint: 'Name it with --format: posthog, mixpanel or amplitude.',
  });
}

/**
 * Imports the events of an export of another product into an app, by the rules of the intake. The
 * same content is imported once; an interrupted import goes on after the lines that are noted, and
 * what it reads again is known by the ids of its events. Throws `not_found` and `invalid_input`.
 */
export async function importEventsFile(
  ctx: SystemContext<'clock' | 'events' | 'sql'>,
  input: ImportInput,
): Promise<Imported> {
  const { sql, clock } = ctx.deps;
  const file = await findFile(ctx, input);
  const before = await selectProgress(sql, file);
  const nowMs = clock().getTime();
  const refusals = new Refusals();
  const pending: Pending = new Map();
  let format = input.format;
  let [line, leftOut, events] = [0, 0, before?.events ?? 0];
  const note = async (isFinished: boolean) => {
    events += await append(ctx, file, pending);
    const at = clock();
    await saveProgress(sql, file, { lines: line, events, isFinished, format: format ?? '', at });
    input.report?.(`${line} lines, ${events} events`);
  };
  for await (const record of recordsOf(input.path)) {
    input.signal?.throwIfAborted();
    if (isBlank(record)) continue;
    format ??= formatOf(record, input.format);
    if (before?.isFinished) return { format, ...before, leftOut, refusals: [], wasThere: true };
    line += 1;
    if (line <= (before?.lines ?? 0)) continue;
    try {
      if (!take(pending, format, record, nowMs)) leftOut += 1;
    } catch (thrown) {
      refusals.add(thrown instanceof SyntaxError ? 'it is no JSON' : messageOf(thrown), line);
    }
    if (line % LINES_AT_ONCE === 0) await note(false);
  }
  if (format === undefined) throw new AppError('invalid_input', 'The file holds no line.');
  await note(true);
  return { format, lines: line, events, leftOut, refusals: refusals.list(), wasThere: false };
}
