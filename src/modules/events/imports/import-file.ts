import type { SystemContext } from '../../../context.ts';
import { IMPORT_KEY, insertImportChunk, recordOrigin } from '../../../event-store/append.ts';
import type { AppScope } from '../../../shared/app.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { hashFile } from '../../../storage/unpack.ts';
import { findOrganizationOfApp } from '../../app-settings/index.ts';
import { type Named, settleJoins } from '../joins.ts';
import { IMPORT_FORMATS } from './formats.ts';
import { PendingEvents } from './pending.ts';
import * as queries from './queries.ts';
import { type ExportInput, type Refusal, Refusals, readExport } from './read-export.ts';

/** The most that a crash repeats. */
const LINES_AT_ONCE = 5_000;

export type ImportInput = ExportInput & {
  appId: string;
  report?: (text: string) => void;
};

export type Imported = {
  /** Null for an import of an earlier release, which cannot be undone. */
  importId: string | null;
  format: string;
  lines: number;
  events: number;
  leftOut: number;
  refusals: Refusal[];
  /** Same content as an earlier import. */
  wasThere: boolean;
};

async function append(
  { deps }: SystemContext<'clock' | 'events' | 'sql'>,
  { orgId, appId }: queries.ImportedFile,
  importId: string | null,
  pending: PendingEvents,
): Promise<number> {
  if (pending.count === 0) return 0;
  const origin = recordOrigin({ orgId, appId, keyId: IMPORT_KEY, environment: 'production' });
  const nowMs = deps.clock().getTime();
  const receivedAt =
    importId === null
      ? nowMs
      : await insertImportChunk(deps.sql, { orgId, appId, importId }, nowMs);
  let count = 0;
  for (const batch of pending.take()) {
    const body = Buffer.from(batch.text);
    await deps.events.append({ ...origin, receivedAt, body });
    count += batch.count;
  }
  return count;
}

export async function findApp({ deps }: SystemContext<'sql'>, appId: string): Promise<AppScope> {
  const orgId = await findOrganizationOfApp(deps.sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  return { orgId, appId };
}

/** Throws `not_found` for an unknown app. */
export async function findFile(
  ctx: SystemContext<'sql'>,
  { appId, path }: Pick<ImportInput, 'appId' | 'path'>,
): Promise<queries.ImportedFile> {
  return { ...(await findApp(ctx, appId)), contentHash: await hashFile(path) };
}

type Begun = Omit<queries.ImportProgress, 'isFinished'>;

/** Ahead of the first event, so that a killed import can be undone. */
async function begin(
  { deps }: SystemContext<'clock' | 'sql'>,
  file: queries.ImportedFile,
  format: string,
): Promise<Begun> {
  await queries.insertImport(deps.sql, file, { importId: newId('imp'), format, at: deps.clock() });
  return (await queries.selectProgress(deps.sql, file)) ?? wasUndone();
}

function wasUndone(): never {
  throw new AppError('conflict', 'The import was undone meanwhile.');
}

async function note(
  ctx: SystemContext<'clock' | 'events' | 'sql'>,
  file: queries.ImportedFile,
  { importId, lines, events }: Begun,
  { pending, isFinished }: { pending: PendingEvents; isFinished: boolean },
): Promise<number> {
  const { sql, clock } = ctx.deps;
  const total = events + (await append(ctx, file, importId, pending));
  const progress = { importId, lines, events: total, finishedAt: isFinished ? clock() : null };
  if (!(await queries.saveProgress(sql, file, progress))) wasUndone();
  return total;
}

function noEvent(format: string, lines: number, [most]: Refusal[]): AppError {
  const why = most ? `${most.lines} refused: ${most.reason}` : 'all of the other product’s own';
  const message = `No event could be read as ${format} from ${lines} lines (${why}). Nothing was imported.`;
  const hint = `If it is another format, name it with --format: ${IMPORT_FORMATS.join(', ')}.`;
  return new AppError('invalid_input', message, { hint });
}

/** Once per content, by the rules of the intake; resumes. */
export async function importEventsFile(
  ctx: SystemContext<'clock' | 'eventNames' | 'events' | 'log' | 'sql'>,
  input: ImportInput,
): Promise<Imported> {
  const { sql, clock } = ctx.deps;
  const file = await findFile(ctx, input);
  const before = await queries.selectProgress(sql, file);
  if (before?.isFinished && before.events > 0) {
    const { isFinished: _, ...done } = before;
    return { ...done, leftOut: 0, refusals: [], wasThere: true };
  }
  const refusals = new Refusals();
  const pending = new PendingEvents();
  const named: Named[] = [];
  let leftOut = 0;
  let begun: Begun | null = before;
  let lines = before?.events ? before.lines : 0;
  let format: string = before?.format ?? input.format ?? '';
  const advance = async (isFinished: boolean): Promise<Begun> => {
    begun = { ...(begun ?? (await begin(ctx, file, format))), lines };
    await settleJoins(ctx.deps, file, named.splice(0));
    begun.events = await note(ctx, file, begun, { pending, isFinished });
    input.report?.(`${lines} lines, ${begun.events} events`);
    return begun;
  };
  for await (const line of readExport(input, clock().getTime(), lines)) {
    ({ number: lines, format } = line);
    if (format !== 'own') await ctx.deps.eventNames.name(file, line.events);
    for (const { event, context } of line.events) pending.add(event, context);
    named.push(...line.events);
    refusals.add(line);
    if (line.events.length + line.refusals.length === 0) leftOut += 1;
    const hasEvents = pending.count > 0 || begun !== null;
    if (hasEvents && lines % LINES_AT_ONCE === 0) await advance(false);
  }
  if ((begun?.events ?? 0) + pending.count === 0) throw noEvent(format, lines, refusals.list());
  const { importId, events } = await advance(true);
  return { importId, format, lines, events, leftOut, refusals: refusals.list(), wasThere: false };
}
