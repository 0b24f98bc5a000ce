import * as eventStore from '../event-store/read.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import * as queries from './queries.ts';

export type Dataset = {
  orgId: string;
  ownFiles: eventStore.ReadableFile[];
  /** Shared files, limited to these apps' rows. */
  sharedFiles: (eventStore.ReadableFile & { appIds: string[] })[];
  lateAliases: eventStore.Alias[];
  erased: eventStore.ErasedId[];
  /** Renew it, and delete it at the end. */
  leaseId: string;
};

export const LEASE_SECONDS = 3_600;

export async function openDataset(
  { sql, objects }: { sql: Sql; objects: ObjectStore },
  orgId: string,
): Promise<Dataset> {
  // Before the read, to cover files retired in between.
  const leaseId = await eventStore.insertLease(sql, orgId, LEASE_SECONDS);
  const { files, lateAliases, erased } = await eventStore.inSnapshot(sql, async (tx) => {
    const live = await queries.selectOrganizationFiles(tx, orgId);
    const oldestSeq = live.reduce((min, file) => Math.min(min, file.peopleSeq), Infinity);
    const [aliases, tombstones] = await Promise.all([
      Number.isFinite(oldestSeq) ? queries.selectLateAliases(tx, orgId, oldestSeq) : [],
      queries.selectErased(tx, orgId),
    ]);
    return { files: live, lateAliases: aliases, erased: tombstones };
  });
  // All rows of own files become readable.
  const isOwn = ({ isOwn, stats }: queries.OrganizationFile) =>
    (isOwn || stats !== null) && eventStore.holdsOnly(eventStore.parseFileStats(stats), { orgId });
  const own = files.filter(isOwn);
  const shared = files.filter((file) => !isOwn(file));
  const [ownFiles, sharedFiles] = await Promise.all([
    eventStore.localFiles(objects, own),
    eventStore.localFiles(objects, shared),
  ]);
  return { orgId, ownFiles, sharedFiles, lateAliases, erased, leaseId };
}
