import { localFiles } from '../modules/events/catalogue/event-sources.ts';
import { inSnapshot, insertLease } from '../modules/events/catalogue/sources-store.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import {
  type AppPerson,
  type OrganizationFile,
  selectErased,
  selectLateLinks,
  selectOrganizationFiles,
} from './store.ts';

/** The catalogued events of one organization, at one moment. */
export type Dataset = {
  orgId: string;
  /** Paths on this host of files in which only the organization has rows. */
  ownFiles: string[];
  /** Files of several organizations; only the rows of these apps are this one's. */
  sharedFiles: { path: string; appIds: string[] }[];
  lateLinks: AppPerson[];
  erased: { appId: string; id: string }[];
  /** Keeps the files in place; renew it, and delete it at the end. */
  leaseId: string;
};

export const LEASE_SECONDS = 3_600;

async function localPaths(objects: ObjectStore, files: readonly OrganizationFile[]) {
  return (await localFiles(objects, files)).map(({ path }) => path);
}

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
  const [ownFiles, sharedPaths] = await Promise.all([
    localPaths(objects, own),
    localPaths(objects, shared),
  ]);
  const sharedFiles = sharedPaths.map((path, index) => ({
    path,
    appIds: shared[index]?.appIds ?? [],
  }));
  return { orgId, ownFiles, sharedFiles, lateLinks, erased, leaseId };
}
