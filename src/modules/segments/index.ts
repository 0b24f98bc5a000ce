export { createMemberIds } from './member-ids.ts';
export { segmentsChapter } from './chapter.ts';
export { segmentExists } from './queries.ts';
export { resolveMembers } from './resolve-members.ts';
export type { NamedMember } from './rules/check-named.ts';
export { forgetUses, recordUses } from './uses.ts';
