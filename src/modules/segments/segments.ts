import type { AppContext } from '../../context.ts';
import { checkLimit, checkName } from '../../shared/app-limits.ts';
import type { AppScope } from '../../shared/app.ts';
import { toAuthor } from '../../shared/author.ts';
import { AppError, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import type { Tx } from '../../storage/postgres.ts';
import { selectExperiments } from '../experiments/index.ts';
import { selectNames } from '../purchases/index.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';
import { checkRule } from './rules/check-rule.ts';
import { segmentsIn } from './rules/clauses.ts';

export const listSegments = ({ deps, scope }: AppContext<'sql'>): Promise<model.Segment[]> =>
  queries.selectSegments(deps.sql, scope);

export async function readSegment(
  { deps, scope }: AppContext<'sql'>,
  { segmentId }: { segmentId: string },
): Promise<model.Segment> {
  const segments = await queries.selectSegments(deps.sql, scope);
  return orNotFound(segments.find(({ id }) => id === segmentId));
}

export async function listSegmentUses(
  { deps, scope }: AppContext<'sql'>,
  { segmentId }: { segmentId: string },
): Promise<model.SegmentUses> {
  return { uses: await queries.selectUses(deps.sql, scope, segmentId) };
}

async function lockedSegments(tx: Tx, scope: AppScope): Promise<model.Segment[]> {
  await lockSubject(tx, 'segments', scope.appId);
  return queries.selectSegments(tx, scope);
}

export async function checkStoredRule(
  db: Tx | AppContext<'sql'>['deps']['sql'],
  scope: AppScope,
  { id, rule }: { id: string | null; rule: model.SegmentRule },
  segments: readonly model.Segment[],
): Promise<void> {
  const experiments = await selectExperiments(db, scope);
  const names = await selectNames(db, scope);
  const started = experiments.filter(({ startedAt }) => startedAt !== null);
  checkRule(rule, id, {
    segments: new Map(segments.map((segment) => [segment.id, segment.rule])),
    arms: new Map(started.map(({ id, arms }) => [id, new Set(arms.map((arm) => arm.id))])),
    names: new Set(names.map(({ name }) => name)),
  });
}

export async function createSegment(
  { deps, actor, scope }: AppContext<'clock' | 'sql'>,
  { name, rule }: model.NewSegment,
): Promise<model.Segment> {
  const id = newId('seg');
  const by = toAuthor(actor);
  const at = deps.clock();
  return deps.sql.begin(async (tx) => {
    const present = await lockedSegments(tx, scope);
    checkLimit(present.length, model.SEGMENTS_PER_APP_MAX, 'segments');
    checkName(present, { id, name }, 'segment');
    await checkStoredRule(tx, scope, { id, rule }, present);
    const made = await queries.segmentRows.insert(tx, scope, { id, by, at }, { name, rule });
    await queries.replaceUses(tx, scope, { kind: 'segment', id, name }, segmentsIn(rule));
    return made;
  });
}

export async function editSegment(
  { deps, scope }: AppContext<'clock' | 'sql'>,
  { segmentId, change }: { segmentId: string; change: model.SegmentChange },
): Promise<model.Segment> {
  const now = deps.clock();
  return deps.sql.begin(async (tx) => {
    const present = await lockedSegments(tx, scope);
    const current = orNotFound(present.find(({ id }) => id === segmentId));
    const edited = { ...current, ...change };
    checkName(present, edited, 'segment');
    if (change.rule) await checkStoredRule(tx, scope, edited, present);
    const stored = orNotFound(await queries.segmentRows.update(tx, scope, edited, now));
    const { id, name, rule } = stored;
    await queries.replaceUses(tx, scope, { kind: 'segment', id, name }, segmentsIn(rule));
    return stored;
  });
}

export async function deleteSegment(
  { deps, scope }: AppContext<'sql'>,
  { segmentId }: { segmentId: string },
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    const present = await lockedSegments(tx, scope);
    if (!present.some(({ id }) => id === segmentId)) throw notFound();
    const [use] = await queries.selectUses(tx, scope, segmentId);
    if (use) {
      throw new AppError('conflict', `The ${use.kind} “${use.name}” uses this segment.`, {
        hint: 'Change or delete what uses it first: listSegmentUses names all of it.',
      });
    }
    await queries.replaceUses(tx, scope, { kind: 'segment', id: segmentId, name: '' }, []);
    await queries.segmentRows.remove(tx, scope, segmentId);
  });
}
