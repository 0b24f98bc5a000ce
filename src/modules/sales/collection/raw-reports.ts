import { parseId } from '../../../shared/ids.ts';
import type { ObjectStore } from '../../../storage/object-store/port.ts';

const reportPrefix = (orgId: string) => `store-reports/${parseId(orgId, 'orgId')}`;

/** Stored under the hash of the text, so that it can be parsed again. */
export async function keepRawReport(
  objects: ObjectStore,
  report: { orgId: string; hash: string; raw: Uint8Array },
): Promise<void> {
  await objects.putBytes(`${reportPrefix(report.orgId)}/${report.hash}`, report.raw);
}

/** For a deleted organization only; disconnecting keeps reports. */
export async function removeRawReports(objects: ObjectStore, orgId: string): Promise<void> {
  for (const { key } of await objects.list(`${reportPrefix(orgId)}/`)) await objects.remove(key);
}
