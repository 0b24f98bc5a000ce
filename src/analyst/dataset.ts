import { inSnapshot, insertLease, localFiles, type ReadableFile } from '../event-store/read.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import {
  type AppPerson,
  selectErased,
  selectLateLinks,
  selectOrganizationFiles,
} from './queries.ts';

/** The catalogued events of one organization, at one moment. */
export type Dataset = {
  orgId: string;
  /** Files, on this host, in which only the organization has rows. */
  ownFiles: ReadableFile[];
  /** Files of several organizations; only the rows of these apps are this one's. */
  sharedFiles: (ReadableFile & { appIds: string[] })[];
  lateLinks: AppPerson[];
  erased: { appId: string; id: string }[];
  /** Keeps the files in place; renew it, and delete it at the end. */
  leaseId: string;
};

export const LEASE_SECONDS = 3_600;

export async function openDataset(
  { sql, objects }: { sql: Sql; objects: ObjectStore },
  orgId: string,
): Promise<Dataset> {
  // The lease first: a file retired between the two is then still kept.
  const leaseId = await insertLease(sql, orgId, LEASE_SECONDS);
  const { files, lateLinks, erased } = await inSnapshot(sql, async (tx) => {
    const found = await selectOrganizationFiles(tx, orgId);
    const oldestSeq = found.reduce((min, file) => Math.min(min, file.peopleSeq), Infinity);
    const [links, gone] = await Promise.all([
      Number.isFinite(oldestSeq) ? selectLateLinks(tx, orgId, oldestSeq) : [],
      selectErased(tx, orgId),
    ]);
    return { files: found, lateLinks: links, erased: gone };
  });
  const own = files.filter((file) => file.isOwn);
  const shared = files.filter((file) => !file.isOwn);
  const [ownFiles, sharedFiles] = await Promise.all([
    localFiles(objects, own),
    localFiles(objects, shared),
  ]);
  return { orgId, ownFiles, sharedFiles, lateLinks, erased, leaseId };
}
