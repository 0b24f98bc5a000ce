import { PrivateKeyError } from '../../shared/app-store-token.ts';
import { errorMessage } from '../../shared/errors.ts';
import { decodeText, type HttpAnswer, HttpFault, httpRequest } from '../../shared/http.ts';
import type { ProviderRateLimit } from '../../shared/provider-rate-limit.ts';
import { withoutNul } from '../../shared/text.ts';
import type { Clock } from '../../shared/time.ts';
import {
  classifyFailure,
  classifyMissing,
  isVersionFault,
  remainingInHour,
  requestedVersion,
  retryAfterSeconds,
} from './classify.ts';
import { combineVersions, iconUrl } from './map.ts';
import type {
  ReportAnswer,
  ReportRequest,
  Store,
  StoreAppRecord,
  StoreKey,
  StoreRateLimit,
} from './port.ts';
import { StoreFault } from './port.ts';
import { openReport } from './report/open-report.ts';
import { tokenCache } from './token.ts';
import { appsPage, buildsPage, versionsPage } from './wire.ts';

export type StoreClientOptions = {
  baseUrl: string;
  clock: Clock;
  gate: StoreRateLimit;
  limits: ProviderRateLimit;
  timeoutMs?: number;
};

const TIMEOUT_MS = 30_000;
/** For a 429 without `Retry-After`. */
const DEFAULT_WAIT_SECONDS = 60;
/** Bounds memory; above any real day. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const PAGE_SIZE = 200;
const PAGES_MAX = 50;

type Get = (key: StoreKey, url: URL, accept: string) => Promise<HttpAnswer>;

function failure(answer: HttpAnswer): StoreFault {
  return classifyFailure({
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: decodeText(answer),
  });
}

function json<T>(answer: HttpAnswer, parse: (value: unknown) => T): T {
  if (answer.status !== 200) throw failure(answer);
  try {
    return parse(JSON.parse(decodeText(answer)));
  } catch (thrown) {
    throw new StoreFault(
      'protocol',
      `The store's answer cannot be parsed: ${errorMessage(thrown)}`,
      {
        cause: thrown,
      },
    );
  }
}

function getter({ clock, gate, limits, timeoutMs = TIMEOUT_MS }: StoreClientOptions): Get {
  const tokenFor = tokenCache(clock);
  const exchange = async (key: StoreKey, url: URL, accept: string) => {
    const limit = `store ${key.keyId}`;
    const waitSeconds = await limits.take(limit);
    if (waitSeconds !== null) {
      throw new StoreFault('rate_limited', 'The key is rate limited.', {
        retryAfterSeconds: waitSeconds,
      });
    }
    const headers = { authorization: `Bearer ${await tokenFor(key)}`, accept };
    const maxBytes = ANSWER_MAX_BYTES;
    const answer = await httpRequest({ method: 'GET', url, headers, timeoutMs, maxBytes });
    if (answer.status === 429) {
      const retryAfter = retryAfterSeconds(answer.headers.get('retry-after'));
      const resetInSeconds = retryAfter ?? DEFAULT_WAIT_SECONDS;
      await limits.note(limit, { remaining: 0, resetInSeconds });
    }
    return answer;
  };
  return async (key, url, accept) => {
    try {
      return await gate(key.keyId, () => exchange(key, url, accept));
    } catch (thrown) {
      if (thrown instanceof PrivateKeyError) throw new StoreFault('credentials', thrown.message);
      if (!(thrown instanceof HttpFault)) throw thrown;
      const lasting = thrown.kind === 'too_large' || thrown.kind === 'redirect';
      throw new StoreFault(lasting ? 'protocol' : 'unavailable', thrown.message, { cause: thrown });
    }
  };
}

function address(baseUrl: string, path: string, query: Record<string, string>): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function listApps(get: Get, baseUrl: string, key: StoreKey): Promise<StoreAppRecord[]> {
  const apps: StoreAppRecord[] = [];
  let url = address(baseUrl, '/v1/apps', {
    'fields[apps]': 'name,bundleId,sku',
    limit: String(PAGE_SIZE),
  });
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, links } = json(await get(key, url, 'application/json'), appsPage.parse);
    for (const { id, attributes } of data) {
      apps.push({
        storeAppId: id,
        bundleId: withoutNul(attributes?.bundleId ?? ''),
        name: withoutNul(attributes?.name ?? ''),
        sku: withoutNul(attributes?.sku ?? ''),
      });
    }
    if (!links.next) return apps;
    url = new URL(links.next, baseUrl);
    if (url.origin !== new URL(baseUrl).origin) {
      throw new StoreFault('protocol', 'The next page of apps is on another host.');
    }
  }
  throw new StoreFault('protocol', `The account has over ${PAGES_MAX * PAGE_SIZE} apps.`);
}

function reportUrl(baseUrl: string, request: ReportRequest, version: string | null): URL {
  return address(baseUrl, '/v1/salesReports', {
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
  get: Get,
  baseUrl: string,
  key: StoreKey,
  request: ReportRequest,
): Promise<ReportAnswer> {
  const tried: (string | null)[] = [];
  let version = request.version;
  for (;;) {
    tried.push(version);
    const answer = await get(key, reportUrl(baseUrl, request, version), 'application/a-gzip');
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
    if (!next || following === undefined) throw failure(answer);
    version = following;
  }
}

export function createStoreClient(options: StoreClientOptions): Store {
  const get = getter(options);
  const { baseUrl } = options;
  const jsonAt = (key: StoreKey, path: string, query: Record<string, string>) =>
    get(key, address(baseUrl, path, query), 'application/json');
  return {
    checkKey: async (key) => {
      json(await jsonAt(key, '/v1/apps', { limit: '1' }), appsPage.parse);
    },
    listApps: (key) => listApps(get, baseUrl, key),
    appStatus: async (key, storeAppId) => {
      const answer = await jsonAt(
        key,
        `/v1/apps/${encodeURIComponent(storeAppId)}/appStoreVersions`,
        {
          'fields[appStoreVersions]':
            'platform,versionString,appStoreState,appVersionState,createdDate',
          limit: '50',
        },
      );
      return combineVersions(json(answer, versionsPage.parse).data);
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
      const [build] = json(answer, buildsPage.parse).data;
      return iconUrl(build?.attributes?.iconAssetToken?.templateUrl);
    },
    dailyReport: (key, request) => dailyReport(get, baseUrl, key, request),
  };
}
