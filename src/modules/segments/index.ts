import type { Chapter } from '../../chapter.ts';

export { createMemberIds, resolveMembers } from './member-ids.ts';
export { segmentExists } from './queries.ts';
export type { NamedMember } from './rules/check-named.ts';
export { forgetUses, recordUses } from './uses.ts';

/** Deleted with the app's row. */
export const segmentsChapter: Chapter = {
  name: 'segments',
  tables: ['segments', 'segment_uses'],
};
