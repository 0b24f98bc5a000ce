import type { OrgContext } from '../../context.ts';
import { csvLine } from '../../shared/csv.ts';
import { readPage } from '../../shared/page.ts';
import type { AuditEntry, AuditPage, AuditQuery } from './model.ts';
import { selectEntries } from './queries.ts';

const ENTRIES_MAX = 10_000;
const CHARACTERS_MAX = 32_000_000;
const PAGE = 100;

const COLUMNS = [
  ...['id', 'at', 'actorKind', 'actorId', 'operation', 'appId', 'of', 'objectId'],
  ...['before', 'after', 'address', 'userAgent', 'requestId'],
];

const jsonCell = (value: object | null) => (value ? JSON.stringify(value) : null);

function linesOf(entry: AuditEntry): string[] {
  const { id, at, actorKind, actorId, operation, appId } = entry;
  const changes = entry.changes.length > 0 ? entry.changes : [null];
  return changes.map((change) =>
    csvLine([
      ...[id, at, actorKind, actorId, operation, appId],
      ...[change?.of ?? null, jsonCell(change?.id ?? null)],
      ...[jsonCell(change?.before ?? null), jsonCell(change?.after ?? null)],
      ...[entry.address, entry.userAgent, entry.requestId],
    ]),
  );
}

/** Ends with a whole entry, at the latest a page after `CHARACTERS_MAX`. */
export async function auditCsv(
  { deps, orgId }: OrgContext<'sql'>,
  query: AuditQuery,
): Promise<string> {
  const lines = [COLUMNS.join(',')];
  let cursor = query.cursor;
  let characters = 0;
  for (let read = 0; read < ENTRIES_MAX && characters < CHARACTERS_MAX; read += PAGE) {
    const entries = await selectEntries(deps.sql, orgId, {
      ...query,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const line of entries.flatMap(linesOf)) {
      lines.push(line);
      characters += line.length;
    }
    cursor = entries.at(-1)?.id;
    if (entries.length < PAGE) break;
  }
  return `${lines.join('\r\n')}\r\n`;
}

export async function listAuditEntries(
  { deps, orgId }: OrgContext<'sql'>,
  query: AuditQuery,
): Promise<AuditPage> {
  const { limit = 50 } = query;
  const select = (limit: number) => selectEntries(deps.sql, orgId, { ...query, limit });
  const { rows, nextCursor } = await readPage(limit, select, ({ id }) => id);
  return { entries: rows, nextCursor };
}
