import type { AppContext } from '../../context.ts';
import { aliasesInLog, idsOfPerson } from '../../event-store/people.ts';
import { notFound } from '../../shared/errors.ts';
import { type PersonIds, selectPlace } from '../../storage/stored-rows.ts';
import { daysBack, toRecentEvent } from '../events/index.ts';
import { formatCursor, type Position, parseCursor } from './cursor.ts';
import { identify } from './identify.ts';
import { MAX_PERSON_EVENTS, NOT_SEARCHED, type PersonExport, type PersonQuery } from './model.ts';

type ExportContext = AppContext<
  'clock' | 'config' | 'personPlaces' | 'objects' | 'queries' | 'sql'
>;

type Part<T> = { found: T[]; next: Position | null };

async function readEvents(
  { deps, orgId, app, signal }: ExportContext,
  personIds: readonly string[],
  { after, limit }: { after: Position | null; limit: number },
): Promise<Part<PersonExport['events'][number]>> {
  if (after?.kind === 'records') return { found: [], next: after };
  const { beforeMs } = daysBack(deps.clock(), 0);
  const question = {
    orgId,
    appId: app.id,
    personIds: [...personIds],
    beforeUs: beforeMs * 1_000,
    environment: 'all' as const,
    after: after?.event ?? null,
    limit,
  };
  const { events } = await deps.queries.ask('person', question, { signal });
  const last = events.length === limit ? events.at(-1) : undefined;
  return {
    found: events.map(({ arrival: _, batchIndex: __, ...event }) => toRecentEvent(event)),
    next: last ? { kind: 'events', event: last } : { kind: 'records', of: null, after: null },
  };
}

type Record = PersonExport['records'][number];

async function readRecords(
  { deps, scope }: ExportContext,
  person: PersonIds,
  { from, limit }: { from: Position | null; limit: number },
): Promise<Part<Record>> {
  if (from?.kind !== 'records') return { found: [], next: from };
  const places = deps.personPlaces;
  const first = from.of === null ? 0 : places.findIndex(({ kind }) => kind === from.of);
  const found: Record[] = [];
  for (const place of first === -1 ? [] : places.slice(first)) {
    const { kind } = place;
    const after = kind === from.of ? from.after : null;
    const left = limit - found.length;
    if (left <= 0) return { found, next: { kind: 'records', of: kind, after } };
    const page = { after, limit: left };
    const rows = await selectPlace(deps.sql, place, { scope, person, page });
    found.push(...rows.map(({ data }) => ({ kind, data: { ...data } })));
    const last = rows.length === left ? rows.at(-1) : undefined;
    if (last) return { found, next: { kind: 'records', of: kind, after: last.key } };
  }
  return { found, next: null };
}

/** All that an erasure would remove. Throws `not_found`. */
export async function exportPerson(
  ctx: ExportContext,
  { personId: id, query }: { personId: string; query: PersonQuery },
): Promise<PersonExport> {
  const { deps, scope } = ctx;
  const limit = query.limit ?? MAX_PERSON_EVENTS;
  const after = parseCursor(query.cursor);
  const hot = await aliasesInLog(deps, scope);
  const { person } = await identify(deps, { ...scope, personId: id }, hot);
  const { personId, anonymousIds } = person;
  const ids = idsOfPerson(person);
  const events = await readEvents(ctx, ids.ids, { after, limit });
  const left = limit - events.found.length;
  const records = await readRecords(ctx, ids, { from: events.next, limit: left });
  const isEmpty = events.found.length + records.found.length + anonymousIds.length === 0;
  if (isEmpty && after === null) throw notFound();
  return {
    personId,
    anonymousIds,
    events: events.found,
    records: records.found,
    notSearched: NOT_SEARCHED,
    nextCursor: formatCursor(records.next),
  };
}
