import type { SystemContext } from '../../../context.ts';
import { recordOrigin } from '../../../event-store/append.ts';
import { AppError } from '../../../shared/errors.ts';
import { hashOf } from '../../../storage/unpack.ts';
import { findOrganizationOfApp } from '../../app-settings/index.ts';
import { type BatchContext, type EventInput, MAX_BATCH_EVENTS } from '../model.ts';
import { type ImportedFile, saveProgress, selectProgress } from './queries.ts';
import {
  type ExportedEvent,
  type ExportInput,
  type Refusal,
  Refusals,
  readExport,
} from './read-export.ts';

/** Lines between progress notes: the most that a crash repeats. */
const LINES_AT_ONCE = 5_000;
const BATCH_MAX_CHARACTERS = 60_000;

export type ImportInput = ExportInput & {
  appId: string;
  report?: (text: string) => void;
};

export type Imported = {
  format: string;
  lines: number;
  events: number;
  /** Bookkeeping of the other product. */
  leftOut: number;
  refusals: Refusal[];
  /** True for a no-op: the same content was imported before. */
  wasThere: boolean;
};

type Pending = Map<string, { context: BatchContext; events: EventInput[] }>;

function addPending(pending: Pending, { event, context }: ExportedEvent): void {
  const key = JSON.stringify(context);
  const group = pending.get(key) ?? { context, events: [] };
  group.events.push(event);
  pending.set(key, group);
}

/** No larger than a device's batches. */
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

/** Durable. Returns the number of events. */
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

/** Throws `not_found` for an unknown app. */
export async function findFile(
  { deps }: SystemContext<'sql'>,
  { appId, path }: Pick<ImportInput, 'appId' | 'path'>,
): Promise<ImportedFile> {
  const orgId = await findOrganizationOfApp(deps.sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  return { orgId, appId, contentHash: await hashOf(path) };
}

/**
 * Imports an export by the rules of the intake, once per content. Resumes after the noted lines;
 * repeated events are deduplicated by id. Throws `not_found`, `invalid_input`.
 */
export async function importEventsFile(
  ctx: SystemContext<'clock' | 'events' | 'sql'>,
  input: ImportInput,
): Promise<Imported> {
  const { sql, clock } = ctx.deps;
  const file = await findFile(ctx, input);
  const before = await selectProgress(sql, file);
  if (before?.isFinished) {
    const { format, lines, events } = before;
    return { format, lines, events, leftOut: 0, refusals: [], wasThere: true };
  }
  const refusals = new Refusals();
  const pending: Pending = new Map();
  let format: string = input.format ?? '';
  let [lines, leftOut, events] = [before?.lines ?? 0, 0, before?.events ?? 0];
  const note = async (isFinished: boolean) => {
    events += await append(ctx, file, pending);
    const at = clock();
    await saveProgress(sql, file, { lines, events, isFinished, format, at });
    input.report?.(`${lines} lines, ${events} events`);
  };
  for await (const line of readExport(input, clock().getTime(), lines)) {
    ({ number: lines, format } = line);
    for (const each of line.events) addPending(pending, each);
    refusals.add(line);
    if (line.events.length + line.refusals.length === 0) leftOut += 1;
    if (lines % LINES_AT_ONCE === 0) await note(false);
  }
  await note(true);
  return { format, lines, events, leftOut, refusals: refusals.list(), wasThere: false };
}
