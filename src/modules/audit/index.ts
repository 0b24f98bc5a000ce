import type { Chapter } from '../../chapter.ts';
import type { OnEntry } from '../../storage/audit.ts';
import { announce } from '../webhooks/index.ts';
import { DEFAULT_KEPT_DAYS, type AuditEntry } from './model.ts';
import { deleteOldEntries, ENTRIES_OF_PERSON, forgetPeopleOfApp, entryOfRow } from './queries.ts';

const CHARACTERS_MAX = 64_000;

/** A long entry lists only what changed, not how: the list has it. */
function shortened(entry: AuditEntry): AuditEntry {
  if (JSON.stringify(entry).length <= CHARACTERS_MAX) return entry;
  const changes = entry.changes.map(({ of, id }) => ({ of, id, before: null, after: null }));
  return { ...entry, changes };
}

export const announceEntry: OnEntry = async (tx, row) => {
  const { orgId, people, entry } = entryOfRow(row);
  if (orgId === null) return;
  await announce(tx, () => new Date(entry.at), {
    orgId,
    type: 'audit.recorded',
    eventId: entry.id,
    personIds: [...people],
    data: shortened(entry),
  });
};

const BATCH = 1_000;

export const auditChapter: Chapter = {
  name: 'audit',
  tables: ['audit_entries', 'audit_settings'],
  cleanup: { name: 'audit', run: ({ deps }, app) => forgetPeopleOfApp(deps.sql, app) },
  people: [ENTRIES_OF_PERSON],
  reconcile: async ({ sql, clock }) => {
    await deleteOldEntries(sql, { now: clock(), days: DEFAULT_KEPT_DAYS, limit: BATCH });
  },
};
