import { parseId } from '../../../shared/ids.ts';
import type { ObjectStore } from '../../../storage/object-store/port.ts';

const prefixOf = (orgId: string) => `store-reports/${parseId(orgId, 'orgId')}`;

/** Stores a report as it came under the hash of its text, so that it can be read again. */
export async function keepRawReport(
  objects: ObjectStore,
  report: { orgId: string; hash: string; raw: Uint8Array },
): Promise<void> {
  await objects.putBytes(`${prefixOf(report.orgId)}/${report.hash}`, report.raw);
}

/** Deletes the reports of a deleted organization; disconnecting the store keeps them. */
export async function removeRawReports(objects: ObjectStore, orgId: string): Promise<void> {
  for (const { key } of await objects.list(`${prefixOf(orgId)}/`)) await objects.remove(key);
}
