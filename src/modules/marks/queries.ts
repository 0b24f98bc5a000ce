import { rowParser } from '../../storage/row-parser.ts';
import type { AppScope } from '../../shared/app.ts';
import type { Author } from '../../shared/author.ts';
import { type Db, type Tx, singleValue } from '../../storage/postgres.ts';
import { existsInApp } from '../../storage/rows-of-app.ts';
import { Mark } from './model.ts';

const columns = (db: Db) => db`
  'note' AS kind, day::text, NULL::timestamptz AS at, text, mark_id AS id,
  jsonb_build_object('kind', author_kind, 'id', author_id) AS author`;

const markRows = rowParser(Mark, 'stored note');

export const selectNotes = (
  db: Db,
  { orgId, appId }: AppScope,
  { from, to }: { from: string; to: string },
) =>
  markRows.all(db`
    SELECT ${columns(db)} FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId} AND day BETWEEN ${from} AND ${to}
    ORDER BY day, created_at, mark_id`);

export const findNote = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { day, text }: { day: string; text: string },
) =>
  markRows.first(tx`
    SELECT ${columns(tx)} FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId} AND day = ${day} AND text = ${text} LIMIT 1`);

export const countNotes = (tx: Tx, { orgId, appId }: AppScope) =>
  singleValue(tx<{ notes: number }[]>`
    SELECT count(*)::integer AS notes FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export const insertNote = (
  tx: Tx,
  { orgId, appId }: AppScope,
  {
    id,
    day,
    text,
    author,
    at,
  }: { id: string; day: string; text: string; author: Author; at: Date },
) =>
  markRows.only(tx`
    INSERT INTO mark_notes
      (mark_id, org_id, app_id, day, text, author_kind, author_id, created_at)
    VALUES (${id}, ${orgId}, ${appId}, ${day}, ${text}, ${author.kind}, ${author.id}, ${at})
    RETURNING ${columns(tx)}`);

export const deleteNoteRow = (db: Db, { orgId, appId }: AppScope, id: string) =>
  markRows.first(db`
    DELETE FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId} AND mark_id = ${id} RETURNING ${columns(db)}`);

export const noteExists = existsInApp('mark_notes', 'mark_id');
