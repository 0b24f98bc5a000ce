import type { AppContext } from '../../context.ts';
import { checkLimit } from '../../shared/app-limits.ts';
import { toAuthor } from '../../shared/author.ts';
import { invalidInput, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import { FIRST_DAY, LAST_DAY, MAX_NOTES_PER_APP, type Mark, type NewMark } from './model.ts';
import { countNotes, deleteNoteRow, findNote, insertNote } from './queries.ts';

function audit(
  { deps, requestId, orgId, app, actor }: AppContext<'log'>,
  act: 'mark_added' | 'mark_deleted',
  { id, day, text }: Mark,
): void {
  const by = toAuthor(actor);
  deps.log.info(
    { audit: act, requestId, orgId, appId: app.id, by, markId: id, day, text },
    'mark changed',
  );
}

/** Idempotent. */
export async function addNote(
  ctx: AppContext<'clock' | 'log' | 'sql'>,
  { day, text }: NewMark,
): Promise<Mark> {
  const { deps, app, actor, scope } = ctx;
  const now = deps.clock();
  const author = toAuthor(actor);
  if (day < FIRST_DAY || day > LAST_DAY) {
    throw invalidInput('day', `must lie between ${FIRST_DAY} and ${LAST_DAY}`);
  }
  const { mark, isNew } = await deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'marks', app.id);
    const same = await findNote(tx, scope, { day, text });
    if (same) return { mark: same, isNew: false };
    checkLimit(await countNotes(tx, scope), MAX_NOTES_PER_APP, 'notes');
    const note = { id: newId('mrk'), day, text, author, at: now };
    return { mark: await insertNote(tx, scope, note), isNew: true };
  });
  if (isNew) audit(ctx, 'mark_added', mark);
  return mark;
}

export async function deleteNote(
  ctx: AppContext<'log' | 'sql'>,
  { markId }: { markId: string },
): Promise<void> {
  const { deps, scope } = ctx;
  const deleted = orNotFound(await deleteNoteRow(deps.sql, scope, markId));
  audit(ctx, 'mark_deleted', deleted);
}
