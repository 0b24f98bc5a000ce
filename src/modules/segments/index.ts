import type { Chapter } from '../../chapter.ts';
import type { AppScope } from '../../shared/app.ts';
import { lockSubject } from '../../storage/locks.ts';
import type { Tx } from '../../storage/postgres.ts';
import type { SegmentUse } from './model.ts';
import { replaceUses, selectSegments } from './queries.ts';
import { checkNamed, type NamedMember } from './rules/check-named.ts';

export { createMemberIds, resolveMembers } from './member-ids.ts';
export { segmentExists } from './queries.ts';
export type { NamedMember } from './rules/check-named.ts';

export async function recordUses(
  tx: Tx,
  scope: AppScope,
  use: SegmentUse,
  named: readonly NamedMember[],
): Promise<void> {
  if (named.length > 0) {
    await lockSubject(tx, 'segments', scope.appId);
    checkNamed(named, await selectSegments(tx, scope));
  }
  const ids = new Set(named.map(({ condition }) => condition.segment));
  await replaceUses(tx, scope, use, [...ids]);
}

export const forgetUses = (
  tx: Tx,
  scope: AppScope,
  { kind, id }: Pick<SegmentUse, 'id' | 'kind'>,
): Promise<void> => replaceUses(tx, scope, { kind, id, name: '' }, []);

/** Deleted with the app's row. */
export const segmentsChapter: Chapter = {
  name: 'segments',
  tables: ['segments', 'segment_uses'],
};
