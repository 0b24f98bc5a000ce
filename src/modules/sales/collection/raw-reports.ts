import { parseId } from '../../../shared/ids.ts';
import type { ObjectStore } from '../../../storage/object-store/port.ts';

const prefixOf = (orgId: string) => `store-reports/${parseId(orgId, 'orgId')}`;

/** Keeps a report as it came, by the hash of its text, so that reading it can be repeated. */
export async function keepRawReport(
  objects: ObjectStore,
  report: { orgId: string; hash: string; raw: Uint8Array },
): Promise<void> {
  await objects.putBytes(`${prefixOf(report.orgId)}/${report.hash}`, report.raw);
}

/** Goes with the organization, and only with it: a disconnected store leaves its reports. */
export async function removeRawReports(objects: ObjectStore, orgId: string): Promise<void> {
  for (const { key } of await objects.list(`${prefixOf(orgId)}/`)) await objects.remove(key);
}
