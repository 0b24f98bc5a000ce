import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { OrgContext } from '../../../context.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import { findMisfit } from '../../../shared/misfit.ts';
import { isRecord } from '../../../shared/record.ts';
import { createTurns } from '../../../shared/turns.ts';
import { type LogRecord, toRecord } from '../record.ts';
import { attributesOf, timeOf, toInput } from './entry.ts';
import { MAX_RECORDS, type OtlpLogs, OtlpRecord, TOO_MANY } from './model.ts';
import type { PartialSuccess } from './proto.ts';

const MAX_ENTRY_BYTES = 64 * 1024;
const ID_HEX_DIGITS = 26;
const MAX_WAITING_BYTES = 1024 * 1024;

type Resource = Record<string, unknown> | Error;
type Sent = { record: unknown; resource: Resource; scope: unknown };

const IN_UTF8 = ', with texts in UTF-8';
const tooLong = () => new Error(`An entry has at most ${MAX_ENTRY_BYTES} bytes.`);

function readResource(sent: unknown): Resource {
  try {
    const found = isRecord(sent) ? attributesOf(sent.attributes) : {};
    if (!isRecord(sent) && (sent ?? null) !== null)
      throw new Error(`: must be an object${IN_UTF8}`);
    return Buffer.byteLength(JSON.stringify(found)) > MAX_ENTRY_BYTES ? tooLong() : found;
  } catch (thrown) {
    return new Error(`resource${errorMessage(thrown)}`);
  }
}

function* recordsOf({ resourceLogs = [] }: OtlpLogs): Generator<Sent> {
  for (const { resource: sent, scopeLogs = [] } of resourceLogs) {
    const resource = readResource(sent);
    for (const { scope, logRecords = [] } of scopeLogs) {
      for (const record of logRecords) yield { record, resource, scope };
    }
  }
}

/** A batch sent again is stored once. */
function createIds(orgId: string): (record: LogRecord, sent: unknown) => string {
  const seen = new Map<string, number>();
  return ({ at, level, service, entry }, sent) => {
    const content = JSON.stringify([orgId, at.getTime(), sentNanos(sent), level, service, entry]);
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    const hash = new Bun.CryptoHasher('sha256').update(`${content} ${before}`).digest('hex');
    return `log_${hash.slice(0, ID_HEX_DIGITS)}`;
  };
}

const sentNanos = (sent: unknown): string =>
  isRecord(sent) ? String(sent.timeUnixNano ?? sent.observedTimeUnixNano ?? '') : '';

const records = TypeCompiler.Compile(OtlpRecord);

function toStored({ orgId, deps }: OrgContext<'clock'>, { record, resource, scope }: Sent) {
  if (resource instanceof Error) throw resource;
  if (!records.Check(record)) {
    const error = records.Errors(record).First();
    const { field, rule } = error ? findMisfit('', error) : { field: '', rule: '' };
    throw new Error(`${field || 'logRecords'}: ${rule}${IN_UTF8}`);
  }
  const stored = toRecord(
    orgId,
    timeOf(record, deps.clock()),
    toInput(record, { resource, scope }),
  );
  if (Buffer.byteLength(stored.entry) > MAX_ENTRY_BYTES) throw tooLong();
  return stored;
}

const behind = () => new AppError('unavailable', 'Log entries cannot be stored now.');

/** Null when all are stored. */
export async function ingestOtlp(
  ctx: OrgContext<'clock' | 'logWriter'>,
  logs: OtlpLogs,
): Promise<PartialSuccess | null> {
  const { logWriter } = ctx.deps;
  // The client holds them as well as memory here would, and loses none.
  if (logWriter.isBehind) throw behind();
  const idOf = createIds(ctx.orgId);
  let [count, stored, waitingBytes] = [0, 0, 0];
  let writes: ReturnType<typeof logWriter.append>[] = [];
  let refusal: string | null = null;
  const settle = async () => {
    const states = await Promise.all(writes);
    if (states.includes('waiting')) throw behind();
    stored += states.filter((state) => state === 'written').length;
    [writes, waitingBytes] = [[], 0];
  };
  const turns = createTurns();
  for (const one of recordsOf(logs)) {
    count += 1;
    if (turns.isOver()) await turns.next();
    try {
      if (count > MAX_RECORDS) throw new Error(TOO_MANY);
      const record = toStored(ctx, one);
      writes.push(logWriter.append({ ...record, id: idOf(record, one.record) }));
      waitingBytes += record.entry.length;
    } catch (thrown) {
      refusal ??=
        thrown instanceof AppError ? (thrown.hint ?? thrown.message) : errorMessage(thrown);
    }
    if (waitingBytes > MAX_WAITING_BYTES) await settle();
  }
  await settle();
  if (stored === count) return null;
  return {
    rejectedLogRecords: count - stored,
    errorMessage: refusal ?? 'The database refused them.',
  };
}
