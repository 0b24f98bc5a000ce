import { rowsOf } from '../../storage/row-parser.ts';
import type { AppScope } from '../../shared/app.ts';
import type { Author } from '../../shared/author.ts';
import { type Db, type Tx, singleValue } from '../../storage/postgres.ts';
import { existsInApp } from '../../storage/rows-of-app.ts';
import type { Mark } from './model.ts';

type NoteRow = {
  id: string;
  day: string;
  text: string;
  kind: Author['kind'];
  authorId: string;
};

const columns = (db: Db) => db`
  mark_id AS id, day::text, text, author_kind AS kind, author_id AS "authorId"`;

const toMark = ({ id, day, text, kind, authorId }: NoteRow): Mark => ({
  kind: 'note',
  day,
  at: null,
  text,
  id,
  author: { kind, id: authorId },
});
const markRows = rowsOf(toMark);

export const selectNotes = (
  db: Db,
  { orgId, appId }: AppScope,
  { from, to }: { from: string; to: string },
) =>
  markRows.all(db<NoteRow[]>`
    SELECT ${columns(db)} FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId} AND day BETWEEN ${from} AND ${to}
    ORDER BY day, created_at, mark_id`);

export const findNote = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { day, text }: { day: string; text: string },
) =>
  markRows.first(tx<NoteRow[]>`
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
  markRows.only(tx<NoteRow[]>`
    INSERT INTO mark_notes
      (mark_id, org_id, app_id, day, text, author_kind, author_id, created_at)
    VALUES (${id}, ${orgId}, ${appId}, ${day}, ${text}, ${author.kind}, ${author.id}, ${at})
    RETURNING ${columns(tx)}`);

export const deleteNoteRow = (db: Db, { orgId, appId }: AppScope, id: string) =>
  markRows.first(db<NoteRow[]>`
    DELETE FROM mark_notes
    WHERE org_id = ${orgId} AND app_id = ${appId} AND mark_id = ${id} RETURNING ${columns(db)}`);

export const noteExists = existsInApp('mark_notes', 'mark_id');
