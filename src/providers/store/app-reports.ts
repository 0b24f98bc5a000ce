import { HttpFault, httpRequest } from '../../shared/http.ts';
import { isIsoDate } from '../../shared/schema.ts';
import * as port from './port.ts';
import type { ReadAll } from './products.ts';
import { APP_REPORT_NAMES, appReportReader } from './report/app-reports.ts';
import { readFacts } from './report/open-report.ts';
import { address, failure, JSON_TYPE, json, type Send } from './request.ts';
import {
  instancesPage,
  madeReportRequest,
  reportRequestsPage,
  reportsPage,
  segmentsPage,
} from './wire.ts';

const TIMEOUT_MS = 30_000;
const FILE_MAX_BYTES = 32 * 1024 * 1024;

/** The store's names differ in case and hyphens over time. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const part = encodeURIComponent;

async function download(baseUrl: string, { url, checksum }: port.AppReportSegment) {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== 'https:' && address?.origin !== new URL(baseUrl).origin) {
    throw new port.StoreFault('protocol', 'A segment of the report has no usable address.');
  }
  const request = { method: 'GET', url: address, timeoutMs: TIMEOUT_MS } as const;
  const answer = await httpRequest({ ...request, maxBytes: FILE_MAX_BYTES }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof HttpFault)) throw thrown;
      const kind = thrown.kind === 'too_large' ? 'protocol' : 'unavailable';
      throw new port.StoreFault(kind, thrown.message, { cause: thrown });
    },
  );
  if (answer.status !== 200) {
    throw new port.StoreFault('unavailable', `A segment of the report answered ${answer.status}.`);
  }
  const sum = new Bun.CryptoHasher('md5').update(answer.bytes).digest('hex');
  const isChecksumRight = checksum === null || checksum.toLowerCase() === sum;
  return { raw: answer.bytes, isChecksumRight } satisfies port.AppReportFile;
}

export const appReportRequests = (
  send: Send,
  baseUrl: string,
  all: (key: port.StoreKey) => ReadAll,
): port.AppReports => ({
  appReportRequests: async (key, storeAppId) => {
    const path = `/v1/apps/${part(storeAppId)}/analyticsReportRequests`;
    const found = await all(key)(path, {}, reportRequestsPage.parse);
    return found.flatMap(({ id, attributes }) => {
      const access = port.REPORT_ACCESSES.find((one) => one === attributes.accessType);
      const isStopped = attributes.stoppedDueToInactivity ?? false;
      return access ? [{ requestId: id, access, isStopped }] : [];
    });
  },
  makeAppReportRequest: async (key, storeAppId, accessType) => {
    const app = { data: { type: 'apps', id: storeAppId } };
    const data = {
      type: 'analyticsReportRequests',
      attributes: { accessType },
      relationships: { app },
    };
    const answer = await send(key, address(baseUrl, '/v1/analyticsReportRequests', {}), {
      method: 'POST',
      accept: JSON_TYPE,
      body: JSON.stringify({ data }),
    });
    return answer.status === 409 ? null : json(answer, madeReportRequest.parse).data.id;
  },
  deleteAppReportRequest: async (key, requestId) => {
    const path = `/v1/analyticsReportRequests/${part(requestId)}`;
    const request = { method: 'DELETE', accept: JSON_TYPE } as const;
    const answer = await send(key, address(baseUrl, path, {}), request);
    if (answer.status !== 404 && answer.status > 299) throw failure(answer);
  },
  offeredAppReports: async (key, requestId) => {
    const path = `/v1/analyticsReportRequests/${part(requestId)}/reports`;
    const found = await all(key)(path, {}, reportsPage.parse);
    const ids = new Map(found.map(({ id, attributes }) => [bare(attributes.name), id]));
    return new Map(
      port.APP_REPORTS.flatMap((report): [port.AppReport, string][] => {
        const id = ids.get(bare(APP_REPORT_NAMES[report]));
        return id === undefined ? [] : [[report, id]];
      }),
    );
  },
  appReportInstances: async (key, reportId) => {
    const path = `/v1/analyticsReports/${part(reportId)}/instances`;
    const found = await all(key)(path, { 'filter[granularity]': 'DAILY' }, instancesPage.parse);
    return found.map(({ id, attributes: { processingDate } }) => {
      if (isIsoDate(processingDate)) return { instanceId: id, processingDate };
      throw new port.StoreFault('protocol', 'An instance of the report has no readable date.');
    });
  },
  appReportSegments: async (key, instanceId) => {
    const path = `/v1/analyticsReportInstances/${part(instanceId)}/segments`;
    const found = await all(key)(path, {}, segmentsPage.parse);
    return found.map(({ attributes: { url, checksum } }) => ({ url, checksum: checksum ?? null }));
  },
  appReportFile: (segment) => download(baseUrl, segment),
  appReportFacts: (report, storeAppId, raw) => readFacts(raw, appReportReader(report, storeAppId)),
});
