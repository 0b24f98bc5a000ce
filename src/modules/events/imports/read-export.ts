import { AppError, errorMessage } from '../../../shared/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { BatchContext, EventInput } from '../model.ts';
import { validateBatch } from '../validate.ts';
import type { ImportedEvent } from './event.ts';
import * as formats from './formats.ts';
import { type ExportedRecord, LINE_MAX_CHARACTERS, readRecords } from './records.ts';
import { type Renames, renamed } from './renames.ts';

/** Limit of preserved times (docs/events.md). */
const OLDEST_DAYS = 400;
const AHEAD_MS = 10 * MINUTE_MS;
const EXAMPLES_MAX = 3;
const FIELDS_SHOWN = 20;
const FIELDS_MAX = 500;

export type ExportInput = {
  path: string;
  format?: formats.ImportFormat | undefined;
  renames?: Renames | undefined;
  /** Zone for times without one; UTC when absent. */
  timeZone?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type ExportedEvent = Pick<ImportedEvent, 'isOpen' | 'sentName'> & {
  event: EventInput;
  context: BatchContext;
};

export type ExportedLine = {
  number: number;
  format: formats.ImportFormat;
  events: ExportedEvent[];
  refusals: string[];
  refusedNames: string[];
};

export type Refusal = { reason: string; lines: number; examples: number[] };

export class Refusals {
  private readonly byReason = new Map<string, Refusal>();

  add({ refusals, number }: Pick<ExportedLine, 'number' | 'refusals'>): void {
    for (const reason of new Set(refusals)) {
      const refusal = this.byReason.get(reason) ?? { reason, lines: 0, examples: [] };
      refusal.lines += 1;
      if (refusal.examples.length < EXAMPLES_MAX) refusal.examples.push(number);
      this.byReason.set(reason, refusal);
    }
  }

  list(): Refusal[] {
    return [...this.byReason.values()].toSorted((one, other) => other.lines - one.lines);
  }
}

function checked(
  { event, context, ...of }: ImportedEvent,
  renames: Renames,
  nowMs: number,
): ExportedEvent {
  const name = renamed(renames, of.sentName, event.name);
  const batch = validated({ events: [{ ...event, name }], context });
  const [valid] = batch.events;
  if (valid?.ts === undefined) throw new Error('ts: there is no time');
  const ms = Date.parse(valid.ts);
  if (nowMs - ms > OLDEST_DAYS * DAY_MS) throw new Error(`ts: older than ${OLDEST_DAYS} days`);
  if (ms - nowMs > AHEAD_MS) throw new Error('ts: lies in the future');
  return { ...of, event: valid, context: batch.context ?? {} };
}

function validated(body: unknown) {
  try {
    return validateBatch(body);
  } catch (thrown) {
    const hint = thrown instanceof AppError ? thrown.hint : undefined;
    throw new Error(hint?.replace('events[0].', '') ?? errorMessage(thrown));
  }
}

const toReason = (thrown: unknown): string =>
  thrown instanceof SyntaxError ? 'it is no JSON' : errorMessage(thrown);

function detectFormat(record: ExportedRecord): formats.ImportFormat {
  const hint = `Name its format with --format: ${formats.IMPORT_FORMATS.join(', ')}.`;
  const first = readFirst(record, hint);
  const format = formats.recognise(first);
  if (format) return format;
  const fields = Object.keys(first).slice(0, FIELDS_SHOWN).join(', ').slice(0, FIELDS_MAX);
  const message = `The format of the file is not recognised. Its first line has ${fields || 'no field'}.`;
  throw new AppError('invalid_input', message, { hint });
}

function readFirst(record: ExportedRecord, hint: string) {
  try {
    return formats.readRecord(record);
  } catch (cause) {
    const message = `The first line of the file cannot be read: ${toReason(cause)}.`;
    throw new AppError('invalid_input', message, { hint, cause });
  }
}

type Reading = Pick<ExportInput, 'timeZone'> & { renames: Renames; nowMs: number };

function readLine(
  record: ExportedRecord,
  { number, format }: { number: number; format: formats.ImportFormat },
  { renames, nowMs, timeZone }: Reading,
): ExportedLine {
  const line: ExportedLine = { number, format, events: [], refusals: [], refusedNames: [] };
  try {
    if (typeof record === 'string' && record.length > LINE_MAX_CHARACTERS) {
      throw new Error('the line is too long');
    }
    for (const imported of formats.toImported(
      format,
      formats.readRecord(record, format),
      timeZone,
    )) {
      try {
        line.events.push(checked(imported, renames, nowMs));
      } catch (thrown) {
        const reason = toReason(thrown);
        line.refusals.push(reason);
        if (reason.startsWith('name:')) line.refusedNames.push(imported.sentName);
      }
    }
  } catch (thrown) {
    line.refusals.push(toReason(thrown));
  }
  return line;
}

function checkZone(format: formats.ImportFormat, timeZone: string | undefined): void {
  if (timeZone === undefined || formats.ZONED_FORMATS.includes(format)) return;
  const hint = `It is for ${formats.ZONED_FORMATS.join(', ')}; leave it out.`;
  const message = `--time-zone: the times of ${format} name an instant.`;
  throw new AppError('invalid_input', message, { hint });
}

const isBlank = (record: ExportedRecord) => typeof record === 'string' && record.trim() === '';

/** Lines after the first `skip`. */
export async function* readExport(
  { path, format: given, renames = new Map(), timeZone, signal }: ExportInput,
  nowMs: number,
  skip = 0,
): AsyncGenerator<ExportedLine> {
  let format = given;
  let number = 0;
  for await (const record of readRecords(path)) {
    signal?.throwIfAborted();
    if (isBlank(record)) continue;
    format ??= detectFormat(record);
    if (number === 0) checkZone(format, timeZone);
    number += 1;
    if (number > skip) yield readLine(record, { number, format }, { renames, nowMs, timeZone });
  }
  if (number === 0) throw new AppError('invalid_input', 'The file holds no line.');
}
