import { decodeText } from '../../shared/http.ts';
import { withoutNul } from '../../shared/text.ts';
import { appReportRequests } from './app-reports.ts';
import { classifyMissing, isVersionFault, remainingInHour, requestedVersion } from './classify.ts';
import { combineVersions, iconUrl, releasedVersions } from './map.ts';
import * as port from './port.ts';
import { listProducts, type ReadAll } from './products.ts';
import { openReport } from './report/open-report.ts';
import * as requests from './request.ts';
import { reviewRequests } from './reviews.ts';
import { webhookRequests } from './webhooks.ts';
import { appsPage, buildsPage, versionsPage } from './wire.ts';

const PAGE_SIZE = 200;
const PAGES_MAX = 50;

function allPages(send: requests.Send, baseUrl: string, key: port.StoreKey): ReadAll {
  return async (path, query, parse) => {
    const found = [];
    let url = requests.address(baseUrl, path, { ...query, limit: String(PAGE_SIZE) });
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { data, links } = requests.json(
        await send(key, url, { accept: requests.JSON_TYPE }),
        parse,
      );
      found.push(...data);
      if (!links.next) return found;
      url = requests.nextPage(baseUrl, links.next);
    }
    throw new port.StoreFault(
      'protocol',
      `The store lists over ${PAGES_MAX * PAGE_SIZE} of one kind.`,
    );
  };
}

async function listApps(all: ReadAll): Promise<port.StoreAppRecord[]> {
  const apps = await all('/v1/apps', { 'fields[apps]': 'name,bundleId,sku' }, appsPage.parse);
  return apps.map(({ id, attributes }) => ({
    storeAppId: id,
    bundleId: withoutNul(attributes?.bundleId ?? ''),
    name: withoutNul(attributes?.name ?? ''),
    sku: withoutNul(attributes?.sku ?? ''),
  }));
}

function reportUrl(baseUrl: string, request: port.ReportRequest, version: string | null): URL {
  return requests.address(baseUrl, '/v1/salesReports', {
    'filter[frequency]': 'DAILY',
    'filter[reportType]': request.reportType,
    'filter[reportSubType]': 'SUMMARY',
    'filter[vendorNumber]': request.vendorNumber,
    'filter[reportDate]': request.day,
    ...(version === null ? {} : { 'filter[version]': version }),
  });
}

/** The last working version, the one a 400 names, then none. */
async function dailyReport(
  send: requests.Send,
  baseUrl: string,
  key: port.StoreKey,
  request: port.ReportRequest,
): Promise<port.ReportAnswer> {
  const tried: (string | null)[] = [];
  let version = request.version;
  for (;;) {
    tried.push(version);
    const answer = await send(key, reportUrl(baseUrl, request, version), {
      accept: 'application/a-gzip',
    });
    const meta = {
      remainingInHour: remainingInHour(answer.headers.get('x-rate-limit')),
      requests: tried.length,
    };
    if (answer.status === 200) {
      return { ...meta, kind: 'report', report: openReport(request, answer.bytes), version };
    }
    if (answer.status === 410) return { ...meta, kind: 'gone' };
    if (answer.status === 404) return { ...meta, ...classifyMissing(decodeText(answer)) };
    const next = answer.status === 400 && isVersionFault(decodeText(answer));
    const candidate = next ? requestedVersion(decodeText(answer)) : undefined;
    const following = [candidate, null].find(
      (version) => version !== undefined && !tried.includes(version),
    );
    if (!next || following === undefined) throw requests.failure(answer);
    version = following;
  }
}

export function createStoreClient(options: requests.StoreClientOptions): port.Store {
  const send = requests.sender(options);
  const { baseUrl } = options;
  const jsonAt = (key: port.StoreKey, path: string, query: Record<string, string>) =>
    send(key, requests.address(baseUrl, path, query), { accept: requests.JSON_TYPE });
  return {
    checkKey: async (key) => {
      requests.json(await jsonAt(key, '/v1/apps', { limit: '1' }), appsPage.parse);
    },
    listApps: (key) => listApps(allPages(send, baseUrl, key)),
    listProducts: (key, storeAppId) => listProducts(allPages(send, baseUrl, key), storeAppId),
    appStatus: async (key, storeAppId) => {
      const path = `/v1/apps/${encodeURIComponent(storeAppId)}/appStoreVersions`;
      const fields = 'platform,versionString,appStoreState,appVersionState,createdDate';
      const query = { 'fields[appStoreVersions]': fields };
      const versions = await allPages(send, baseUrl, key)(path, query, versionsPage.parse);
      return { ...combineVersions(versions), releases: releasedVersions(versions) };
    },
    appIcon: async (key, storeAppId) => {
      const answer = await jsonAt(key, '/v1/builds', {
        'filter[app]': storeAppId,
        sort: '-uploadedDate',
        limit: '1',
        'fields[builds]': 'iconAssetToken,uploadedDate',
      });
      // Sales roles may not see builds.
      if (answer.status === 403 || answer.status === 404) return null;
      const [build] = requests.json(answer, buildsPage.parse).data;
      return iconUrl(build?.attributes?.iconAssetToken?.templateUrl);
    },
    dailyReport: (key, request) => dailyReport(send, baseUrl, key, request),
    ...appReportRequests(send, baseUrl, (key) => allPages(send, baseUrl, key)),
    ...reviewRequests(send, baseUrl),
    ...webhookRequests(send, baseUrl),
  };
}
