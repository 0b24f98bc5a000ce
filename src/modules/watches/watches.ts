import type { AppContext } from '../../context.ts';
import { checkLimit } from '../../shared/app-limits.ts';
import { toAuthor } from '../../shared/author.ts';
import { invalidInput, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { lockSubject } from '../../storage/locks.ts';
import { lockQuestion, readQuestion } from '../questions/index.ts';
import { wantCheck } from './checks-queries.ts';
import { checkFigure } from './figure.ts';
import { selectLooks } from './looks-queries.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

type ById = { watchId: string };

export const listWatches = ({ deps, scope }: AppContext<'sql'>): Promise<model.Watch[]> =>
  queries.selectWatches(deps.sql, scope);

export async function readWatch(
  { deps, scope }: AppContext<'sql'>,
  { watchId }: ById,
): Promise<model.Watch> {
  return orNotFound(await queries.selectWatch(deps.sql, scope, watchId));
}

export const readWatchHistory = (
  { deps, orgId }: AppContext<'sql'>,
  { watchId }: ById,
): Promise<model.WatchLook[]> => selectLooks(deps.sql, { orgId, watchId }, model.MAX_LOOKS);

export async function createWatch(
  { deps, orgId, app, actor, scope }: AppContext<'clock' | 'sql'>,
  { questionId, figure, rule }: model.NewWatch,
): Promise<model.Watch> {
  const [owner, at, id] = [toAuthor(actor), deps.clock(), newId('wch')];
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'watches', app.id);
    const saved = await lockQuestion(tx, scope, questionId);
    if (!saved) throw invalidInput('questionId', 'must be a saved question of this app');
    checkFigure(saved.question, { figure, rule });
    const present = await queries.selectWatches(tx, scope);
    checkLimit(present.length, model.WATCHES_PER_APP_MAX, 'watches');
    await wantCheck(tx, orgId, at);
    return queries.insertWatch(tx, scope, {
      id,
      questionId,
      figure,
      rule,
      owner,
      createdAt: toIso(at),
    });
  });
}

/** Undefined fields stay. Judged anew. */
export async function editWatch(
  ctx: AppContext<'clock' | 'sql'>,
  { watchId, change }: ById & { change: model.WatchChange },
): Promise<model.Watch> {
  const { deps, app, scope } = ctx;
  const at = deps.clock();
  const { question } = await readQuestion(ctx, await readWatch(ctx, { watchId }));
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'watches', app.id);
    const present = orNotFound(await queries.selectWatch(tx, scope, watchId));
    const edited = { ...present, ...change };
    checkFigure(question, edited);
    return orNotFound(await queries.updateWatchRow(tx, scope, edited, at));
  });
}

export async function deleteWatch(
  { deps, scope }: AppContext<'sql'>,
  { watchId }: ById,
): Promise<void> {
  if (!(await queries.deleteWatchRow(deps.sql, scope, watchId))) throw notFound();
}
