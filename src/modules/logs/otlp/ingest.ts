import type { OrgContext } from '../../../context.ts';
import { AppError, errorMessage } from '../../../shared/errors.ts';
import { createTurns } from '../../../shared/turns.ts';
import { type LogRecord, toRecord } from '../record.ts';
import { attributesOf, scopeOf, timeOf, toInput } from './entry.ts';
import { MAX_RECORDS, type OtlpLogs, type OtlpRecord, tooManyRecords } from './model.ts';
import type { PartialSuccess } from './proto.ts';

const MAX_ENTRY_BYTES = 64 * 1024;
const ID_HEX_DIGITS = 26;

type Sent = { record: OtlpRecord; resource: Record<string, unknown>; scope: string | undefined };

function* recordsOf({ resourceLogs = [] }: OtlpLogs): Generator<Sent> {
  for (const { resource, scopeLogs = [] } of resourceLogs) {
    const attributes = attributesOf(resource?.attributes);
    for (const { scope, logRecords = [] } of scopeLogs) {
      for (const record of logRecords) {
        yield { record, resource: attributes, scope: scopeOf(scope) };
      }
    }
  }
}

/** A batch sent again is stored once. */
function createIds(orgId: string): (record: LogRecord) => string {
  const seen = new Map<string, number>();
  return ({ at, level, service, entry }) => {
    const content = JSON.stringify([orgId, at.getTime(), level, service, entry]);
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    const hash = new Bun.CryptoHasher('sha256').update(`${content} ${before}`).digest('hex');
    return `log_${hash.slice(0, ID_HEX_DIGITS)}`;
  };
}

function toStored({ orgId, deps }: OrgContext<'clock'>, sent: Sent): LogRecord {
  const record = toRecord(orgId, timeOf(sent.record, deps.clock()), toInput(sent.record, sent));
  if (Buffer.byteLength(record.entry) > MAX_ENTRY_BYTES) {
    throw new Error(`An entry has at most ${MAX_ENTRY_BYTES} bytes.`);
  }
  return record;
}

/** Null when all are stored. */
export async function ingestOtlp(
  ctx: OrgContext<'clock' | 'logWriter'>,
  logs: OtlpLogs,
): Promise<PartialSuccess | null> {
  const { logWriter } = ctx.deps;
  // The client holds them as well as memory here would, and loses none.
  if (logWriter.isBehind) throw new AppError('unavailable', 'Log entries cannot be stored now.');
  const sent = [...recordsOf(logs)];
  if (sent.length > MAX_RECORDS) throw tooManyRecords();
  const idOf = createIds(ctx.orgId);
  const writes: Promise<void>[] = [];
  let refusal: string | null = null;
  const turns = createTurns();
  for (const one of sent) {
    if (turns.isOver()) await turns.next();
    try {
      const record = toStored(ctx, one);
      writes.push(logWriter.append({ ...record, id: idOf(record) }));
    } catch (thrown) {
      refusal ??=
        thrown instanceof AppError ? (thrown.hint ?? thrown.message) : errorMessage(thrown);
    }
  }
  await Promise.all(writes);
  const rejectedLogRecords = sent.length - writes.length;
  return refusal === null ? null : { rejectedLogRecords, errorMessage: refusal };
}
