import { gzipSync } from 'node:zlib';
import { addDays, daysBetween, pacificDay, pacificInstant } from '../../../src/shared/pacific.ts';
import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';
import {
  eventRows,
  type SimulatedApp,
  salesRows,
  simulatedApps,
  subscriptionRows,
} from './account.ts';
import { appReports, type ReportsAccount, segmentFile } from './app-reports.ts';
import { authenticate, makeKey, type SimulatedKey } from './auth.ts';
import { catalogue } from './catalogue.ts';
import { ERRORS } from './errors.ts';
import {
  type ReportValues,
  salesReportText,
  subscriptionEventText,
  subscriptionText,
} from './report.ts';
import { type SimulatedWebhook, webhookRequest } from './webhooks.ts';
import { reviewsPage, type SimulatedReview } from './reviews.ts';

type DayAnswer =
  | ('no_sales' | 'not_yet' | 'unclear' | 'gone' | 'header_only')
  | keyof typeof FAULTY;
/** Of one day; `cut` is a report without its end. */
const FAULTY = {
  invalid_vendor: ERRORS.invalidVendor,
  not_authorized: ERRORS.notAuthorized,
  role_missing: ERRORS.roleMissing,
  unexpected: ERRORS.unexpected,
  cut: (): SimulatorAnswer => ({
    status: 200,
    bytes: gzipSync('Provider\tProvider Country').subarray(0, 20),
    headers: { 'content-type': 'application/a-gzip' },
  }),
};
export type KeyTrouble = 'revoked' | 'role' | 'no_subscriptions' | 'agreement' | 'rate_limited';

/** A simulated store account. Everything but `seed` may be changed while it runs. */
export type StoreAccount = ReportsAccount & {
  seed: number;
  now: () => Date;
  keys: SimulatedKey[];
  apps: SimulatedApp[];
  vendorNumber: string;
  /** First day with sales; earlier ones have none. */
  firstDay: string;
  /** Hours after Pacific midnight at which yesterday's reports appear. */
  readyHour: Record<ReportType, number>;
  versions: Record<ReportType, string>;
  /** Days whose answer is not the usual one, and rows that replace the generated ones. */
  days: Map<string, DayAnswer | ReportValues[]>;
  /** How often a day was corrected since it was first published. */
  corrections: Map<string, number>;
  trouble: Map<string, KeyTrouble>;
  retryAfterSeconds: number | null;
  remainingInHour: number;
  pageSize: number;
  /** Days after which reports are gone; the real store keeps a year. */
  retentionDays: number;
  delayMs: number | undefined;
  /** Sales-role keys may not see builds. */
  buildsAllowed: boolean;
  /** Written reviews by store app. */
  reviews: Map<string, SimulatedReview[]>;
  reviewsAllowed: boolean;
  /** Webhooks by their id; secrets are never shown. */
  webhooks: Map<string, SimulatedWebhook>;
  /** Sales-role keys may not make them. */
  webhooksAllowed: boolean;
  /** Pages of reviews that were asked for. */
  reviewPages: number;
  /** Not all roles may see what is sold. */
  catalogueAllowed: boolean;
};

export type StoreSimulator = Simulator & {
  account: StoreAccount;
  /** The most requests that one key had under way at once. */
  mostAtOnce: () => number;
  /** How often each `TYPE day` report was asked for. */
  asked: Map<string, number>;
  /** How often it was answered whole: faults of the store are left out. */
  delivered: Map<string, number>;
};

const RETENTION_DAYS = 365;
const REPORT_TYPES = ['SALES', 'SUBSCRIPTION_EVENT', 'SUBSCRIPTION'] as const;
type ReportType = (typeof REPORT_TYPES)[number];
const REPORT_PARAMETERS = [
  'filter[frequency]',
  'filter[reportType]',
  'filter[reportSubType]',
  'filter[vendorNumber]',
  'filter[reportDate]',
  'filter[version]',
];

function page(account: StoreAccount, request: SimulatorRequest, base: string): SimulatorAnswer {
  const limit = Number(request.query.get('limit') ?? '50');
  if (!(limit >= 1 && limit <= 200)) return ERRORS.unknownParameter('limit');
  const listed = account.apps.filter((app) => !app.deleted);
  const size = Math.min(limit, account.pageSize);
  const start = Number(request.query.get('cursor') ?? '0');
  const next = start + size < listed.length;
  return {
    status: 200,
    json: {
      data: listed.slice(start, start + size).map((app) => ({
        type: 'apps',
        id: app.id,
        attributes: {
          name: app.name,
          bundleId: app.bundleId,
          sku: app.sku,
          primaryLocale: 'en-US',
        },
        links: { self: `${base}/v1/apps/${app.id}` },
      })),
      links: {
        self: `${base}/v1/apps`,
        ...(next ? { next: `${base}/v1/apps?cursor=${start + size}&limit=${limit}` } : {}),
      },
      meta: { paging: { total: listed.length, limit } },
    },
  };
}

function versions(account: StoreAccount, id: string): SimulatorAnswer {
  const app = account.apps.find((one) => one.id === id && !one.deleted);
  if (!app) return ERRORS.noSuchResource();
  const data = app.versions.map((attributes, index) => ({
    type: 'appStoreVersions',
    id: `${id}-${index}`,
    attributes,
  }));
  return { status: 200, json: { data, links: { self: '' }, meta: { paging: { limit: 50 } } } };
}

function builds(account: StoreAccount, request: SimulatorRequest): SimulatorAnswer {
  if (!account.buildsAllowed) return ERRORS.roleMissing();
  const app = account.apps.find(({ id }) => id === request.query.get('filter[app]'));
  if (!app) return ERRORS.noSuchResource();
  const iconAssetToken = app.icon ? { templateUrl: app.icon, width: 1024, height: 1024 } : null;
  const data = [{ type: 'builds', id: `${app.id}-b`, attributes: { iconAssetToken } }];
  return { status: 200, json: { data, links: { self: '' } } };
}

function published(account: StoreAccount, type: ReportType, day: string) {
  return account.now() >= pacificInstant(addDays(day, 1), account.readyHour[type]);
}

function rowsOf(account: StoreAccount, type: string, day: string): ReportValues[] {
  const special = account.days.get(`${type} ${day}`);
  if (Array.isArray(special)) return special;
  if (day < account.firstDay) return [];
  if (type === 'SUBSCRIPTION') return subscriptionRows(account.seed, account.apps, day);
  if (type === 'SUBSCRIPTION_EVENT') return eventRows(account.seed, account.apps, day);
  return salesRows(account.seed, account.apps, day, account.corrections.get(day) ?? 0);
}

function report(account: StoreAccount, request: SimulatorRequest): SimulatorAnswer {
  const { query } = request;
  const parameter = (name: string) => query.get(`filter[${name}]`) ?? '';
  const unknown = [...query.keys()].find((name) => !REPORT_PARAMETERS.includes(name));
  if (unknown) return ERRORS.unknownParameter(unknown);
  if (!/^application\/a-gzip\b/.test(String(request.headers.accept))) return ERRORS.notAcceptable();
  const day = parameter('reportDate');
  const type = REPORT_TYPES.find((one) => one === parameter('reportType'));
  if (!type || parameter('reportSubType') !== 'SUMMARY') return ERRORS.invalidCombination();
  if (parameter('frequency') !== 'DAILY' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    return ERRORS.invalidCombination();
  }
  const vendor = parameter('vendorNumber');
  // A number of the right form answers 400; one that is made up altogether answers 500.
  if (vendor !== account.vendorNumber) {
    return /^8\d{7}$/.test(vendor) ? ERRORS.invalidVendor() : ERRORS.unexpected();
  }
  const version = query.get('filter[version]');
  if (version !== null && version !== account.versions[type]) {
    return ERRORS.invalidVersion(account.versions[type]);
  }
  const special = account.days.get(`${type} ${day}`);
  const age = daysBetween(day, pacificDay(account.now()));
  if (age > account.retentionDays || special === 'gone') return ERRORS.gone();
  if (special === 'unclear') return ERRORS.unclear();
  const fault = Object.entries(FAULTY).find(([name]) => name === special)?.[1];
  if (fault) return fault();
  if (special === 'not_yet' || !published(account, type, day)) return ERRORS.notYet();
  const rows = special === 'header_only' ? [] : rowsOf(account, type, day);
  if (special === 'no_sales' || (rows.length === 0 && special !== 'header_only')) {
    return ERRORS.noSales();
  }
  const order = daysBetween('2026-01-01', day) % 2 === 0 ? 'common' : 'variant';
  const text = {
    SALES: () => salesReportText(rows, order),
    SUBSCRIPTION_EVENT: () => subscriptionEventText(rows),
    SUBSCRIPTION: () => subscriptionText(rows, account.versions.SUBSCRIPTION),
  }[type]();
  return {
    status: 200,
    bytes: gzipSync(text),
    headers: { 'content-type': 'application/a-gzip' },
  };
}

function troubled(
  account: StoreAccount,
  key: SimulatedKey,
  { path, query }: SimulatorRequest,
): SimulatorAnswer | null {
  const trouble = account.trouble.get(key.keyId);
  if (trouble === 'revoked') return ERRORS.notAuthorized();
  if (trouble === 'agreement') return ERRORS.agreement();
  if (trouble === 'role' && path === '/v1/salesReports') return ERRORS.roleMissing();
  if (
    trouble === 'no_subscriptions' &&
    query.get('filter[reportType]') !== 'SALES' &&
    path === '/v1/salesReports'
  ) {
    return ERRORS.roleMissing();
  }
  if (trouble === 'rate_limited') {
    const seconds = account.retryAfterSeconds;
    const headers = seconds === null ? {} : { 'retry-after': String(seconds) };
    return { ...ERRORS.rateLimited(), headers };
  }
  return null;
}

function reviews(
  account: StoreAccount,
  request: SimulatorRequest,
  id: string,
  base: string,
): SimulatorAnswer {
  account.reviewPages += 1;
  if (!account.reviewsAllowed) return ERRORS.roleMissing();
  if (!account.apps.some((app) => app.id === id && !app.deleted)) return ERRORS.noSuchResource();
  const { pageSize } = account;
  return reviewsPage(account.reviews.get(id) ?? [], request, { base, pageSize });
}

function route(account: StoreAccount, request: SimulatorRequest, base: string): SimulatorAnswer {
  if (request.path === '/v1/apps') return page(account, request, base);
  if (request.path === '/v1/builds') return builds(account, request);
  if (request.path === '/v1/salesReports') return report(account, request);
  const asked = { request, base, pageSize: account.pageSize };
  const { pageSize } = account;
  const analytics = appReports(account, request, { base, pageSize });
  if (analytics) return analytics;
  const sold = catalogue(account.apps, account.catalogueAllowed, asked);
  if (sold) return sold;
  const versionsOf = /^\/v1\/apps\/([^/]+)\/appStoreVersions$/.exec(request.path)?.[1];
  if (versionsOf) return versions(account, versionsOf);
  const reviewsOf = /^\/v1\/apps\/([^/]+)\/customerReviews$/.exec(request.path)?.[1];
  return reviewsOf ? reviews(account, request, reviewsOf, base) : ERRORS.noSuchResource();
}

function newAccount(options: Partial<StoreAccount>): StoreAccount {
  const seed = options.seed ?? 1;
  const now = options.now ?? (() => new Date());
  return {
    seed,
    now,
    keys: [makeKey('57246542-96fe-1a63-e053-0824d011072a', '2X9R4HXF34')],
    apps: simulatedApps(seed),
    vendorNumber: '80012345',
    firstDay: addDays(pacificDay(now()), -RETENTION_DAYS),
    readyHour: { SALES: 5, SUBSCRIPTION_EVENT: 9, SUBSCRIPTION: 9 },
    versions: { SALES: '1_0', SUBSCRIPTION_EVENT: '1_3', SUBSCRIPTION: '1_4' },
    days: new Map(),
    corrections: new Map(),
    trouble: new Map(),
    retryAfterSeconds: 30,
    remainingInHour: 3500,
    pageSize: 200,
    retentionDays: RETENTION_DAYS,
    delayMs: undefined,
    buildsAllowed: true,
    reviews: new Map(),
    reviewsAllowed: true,
    webhooks: new Map(),
    webhooksAllowed: true,
    reportRequests: [],
    isAdmin: true,
    notOffered: new Set(),
    refused: new Set(),
    reviewPages: 0,
    catalogueAllowed: true,
    ...options,
  };
}

/** A strict App Store Connect on a free port; faults of every request come from `faults`. */
export async function startStoreSimulator(
  options: Partial<StoreAccount> = {},
): Promise<StoreSimulator> {
  const account = newAccount(options);
  const asked = new Map<string, number>();
  const delivered = new Map<string, number>();
  const underWay = new Map<string, number>();
  let mostAtOnce = 0;
  const simulator = await startSimulator((request) => {
    const segment = segmentFile(account, request);
    if (segment) return segment;
    const key = authenticate(request.headers.authorization, account.keys, account.now());
    if (typeof key === 'string') return ERRORS.notAuthorized();
    if (request.path.startsWith('/v1/webhooks')) {
      return troubled(account, key, request) ?? webhookRequest(account, request);
    }
    if (request.method !== 'GET') {
      const at = { base: '', pageSize: 1 };
      const trouble = troubled(account, key, request);
      return trouble ?? appReports(account, request, at) ?? ERRORS.noSuchResource();
    }
    const busy = (underWay.get(key.keyId) ?? 0) + 1;
    underWay.set(key.keyId, busy);
    mostAtOnce = Math.max(mostAtOnce, busy);
    const { path, query } = request;
    const name = `${query.get('filter[reportType]')} ${query.get('filter[reportDate]')}`;
    const count = (times: Map<string, number>) => {
      if (path === '/v1/salesReports') times.set(name, (times.get(name) ?? 0) + 1);
    };
    count(asked);
    account.remainingInHour = Math.max(0, account.remainingInHour - 1);
    const answer = troubled(account, key, request) ?? route(account, request, simulator?.url ?? '');
    return {
      ...answer,
      headers: {
        'x-rate-limit': `user-hour-lim:3600;user-hour-rem:${account.remainingInHour};`,
        ...answer.headers,
      },
      ...(account.delayMs === undefined ? {} : { delayMs: account.delayMs }),
      done: () => underWay.set(key.keyId, (underWay.get(key.keyId) ?? 1) - 1),
      delivered: () => count(delivered),
    };
  });
  return { ...simulator, account, asked, delivered, mostAtOnce: () => mostAtOnce };
}
