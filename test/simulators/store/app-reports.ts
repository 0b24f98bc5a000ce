import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import { ERRORS } from './errors.ts';

export type SimulatedFile = {
  report: string;
  processingDate: string;
  /** The text of each segment; none yet when empty. */
  segments: string[];
  checksum?: string;
};

export type SimulatedReportRequest = {
  id: string;
  appId: string;
  accessType: string;
  isStopped: boolean;
  files: SimulatedFile[];
};

/** Names as the store writes them at one time or another. */
export const REPORT_NAMES = [
  'App Store Discovery and Engagement Standard',
  'App Store Discovery and Engagement Detailed',
  'App Downloads Standard',
  'App Store Installation and Deletion Standard',
  'App Sessions Standard',
  'App Crashes',
  'App Store Subscription-State Standard',
  'App Store Subscription Event Standard',
];

export type ReportsAccount = {
  reportRequests: SimulatedReportRequest[];
  /** Only Admin keys may make and delete requests. */
  isAdmin: boolean;
  /** Names that the account is not entitled to. */
  notOffered: Set<string>;
  /** Names of reports that the key may not read. */
  refused: Set<string>;
};

type Account = ReportsAccount & { apps: readonly { id: string }[] };
type Item = { id: string; attributes: Record<string, unknown> };
type At = { base: string; pageSize: number };

const ACCESSES = ['ONGOING', 'ONE_TIME_SNAPSHOT'];
const conflict = (): SimulatorAnswer => ({
  status: 409,
  json: {
    errors: [
      {
        status: '409',
        code: 'STATE_ERROR',
        title: 'The request cannot be fulfilled because of the state of another resource.',
        detail: 'You already have such an entity',
      },
    ],
  },
});

function listed(
  type: string,
  items: readonly Item[],
  { query, path, headers }: SimulatorRequest,
  { base, pageSize, allowed }: At & { allowed: readonly string[] },
): SimulatorAnswer {
  const unknown = [...query.keys()].find((name) => ![...allowed, 'limit', 'cursor'].includes(name));
  if (unknown) return ERRORS.unknownParameter(unknown);
  if (!/^application\/json\b/.test(String(headers.accept))) return ERRORS.notAcceptable();
  const limit = Number(query.get('limit') ?? '50');
  if (!(limit >= 1 && limit <= 200)) return ERRORS.unknownParameter('limit');
  const granularity = query.get('filter[granularity]');
  if (granularity !== null && !['DAILY', 'WEEKLY', 'MONTHLY'].includes(granularity)) {
    return ERRORS.unknownParameter('filter[granularity]');
  }
  const start = Number(query.get('cursor') ?? '0');
  const end = start + Math.min(limit, pageSize);
  const next = new URLSearchParams([...query].filter(([name]) => name !== 'cursor'));
  next.set('cursor', String(end));
  return {
    status: 200,
    json: {
      data: items.slice(start, end).map((item) => ({ type, ...item })),
      links: {
        self: `${base}${path}`,
        ...(end < items.length ? { next: `${base}${path}?${next}` } : {}),
      },
      meta: { paging: { total: items.length, limit } },
    },
  };
}

function change(account: Account, request: SimulatorRequest): SimulatorAnswer {
  const id = /^\/v1\/analyticsReportRequests\/([\w-]+)$/.exec(request.path)?.[1];
  if (!account.isAdmin) return ERRORS.roleMissing();
  if (request.method === 'DELETE') {
    const index = account.reportRequests.findIndex((one) => one.id === id);
    if (index < 0) return ERRORS.noSuchResource();
    account.reportRequests.splice(index, 1);
    return { status: 204 };
  }
  if (request.method !== 'POST' || id !== undefined) return ERRORS.noSuchResource();
  const { data } = JSON.parse(request.body);
  const accessType = data?.attributes?.accessType;
  const app = data?.relationships?.app?.data;
  const isWhole =
    data?.type === 'analyticsReportRequests' &&
    Object.keys(data.attributes).length === 1 &&
    ACCESSES.includes(accessType) &&
    app?.type === 'apps' &&
    account.apps.some((one) => one.id === app.id);
  if (!isWhole) return ERRORS.unknownParameter('data');
  const has = account.reportRequests.some(
    (one) => one.appId === app.id && one.accessType === accessType,
  );
  if (has) return conflict();
  const made = { appId: app.id, accessType, isStopped: false, files: [] };
  const requestId = crypto.randomUUID();
  account.reportRequests.push({ id: requestId, ...made });
  return {
    status: 201,
    json: {
      data: {
        type: 'analyticsReportRequests',
        id: requestId,
        attributes: { accessType, stoppedDueToInactivity: false },
      },
    },
  };
}

/** Ids say what they are of: `request~report`, `request~report~date`. */
function read(account: Account, request: SimulatorRequest, at: At): SimulatorAnswer {
  const { path } = request;
  const appId = /^\/v1\/apps\/(\d+)\/analyticsReportRequests$/.exec(path)?.[1];
  if (appId) {
    const items = account.reportRequests
      .filter((one) => one.appId === appId)
      .map(({ id, accessType, isStopped }) => ({
        id,
        attributes: { accessType, stoppedDueToInactivity: isStopped },
      }));
    const allowed = ['filter[accessType]'];
    return listed('analyticsReportRequests', items, request, { ...at, allowed });
  }
  const [, kind, id = '', child] = /^\/v1\/(\w+)\/([\w~%-]+)\/(\w+)$/.exec(path) ?? [];
  const [requestId, index = '', date] = decodeURIComponent(id).split('~');
  const found = account.reportRequests.find((one) => one.id === requestId);
  if (!found) return ERRORS.noSuchResource();
  const name = REPORT_NAMES[Number(index)] ?? '';
  if (kind === 'analyticsReportRequests' && child === 'reports') {
    const items = REPORT_NAMES.map((each, number) => ({
      id: `${found.id}~${number}`,
      attributes: { name: each, category: 'COMMERCE' },
    })).filter(({ attributes }) => !account.notOffered.has(attributes.name));
    return listed('analyticsReports', items, request, {
      ...at,
      allowed: ['filter[name]', 'filter[category]'],
    });
  }
  if (account.refused.has(name)) return ERRORS.roleMissing();
  const files = found.files.filter(({ report }) => report === name);
  if (kind === 'analyticsReports' && child === 'instances') {
    const items = files.map(({ processingDate }) => ({
      id: `${id}~${processingDate}`,
      attributes: { processingDate, granularity: 'DAILY' },
    }));
    const allowed = ['filter[granularity]', 'filter[processingDate]'];
    return listed('analyticsReportInstances', items, request, { ...at, allowed });
  }
  const file = files.find(({ processingDate }) => processingDate === date);
  if (kind !== 'analyticsReportInstances' || child !== 'segments' || !file) {
    return ERRORS.noSuchResource();
  }
  const items = file.segments.map((text, number) => {
    const bytes = gzipSync(text);
    const checksum = file.checksum ?? createHash('md5').update(bytes).digest('hex');
    const url = `${at.base}/segments/${id}/${number}?signed=1`;
    return { id: `${id}~${number}`, attributes: { url, checksum, sizeInBytes: bytes.length } };
  });
  return listed('analyticsReportSegments', items, request, { ...at, allowed: [] });
}

/** Presigned: a token with it is a mistake. */
export function segmentFile(
  account: Account,
  { path, headers }: SimulatorRequest,
): SimulatorAnswer | null {
  const [, id = '', number] = /^\/segments\/([^/]+)\/(\d+)$/.exec(path) ?? [];
  if (number === undefined) return null;
  if (headers.authorization !== undefined) return { status: 400, text: 'Only one auth mechanism' };
  const [requestId, index, date] = decodeURIComponent(id).split('~');
  const text = account.reportRequests
    .find((one) => one.id === requestId)
    ?.files.find((one) => one.report === REPORT_NAMES[Number(index)] && one.processingDate === date)
    ?.segments[Number(number)];
  return text === undefined ? { status: 403, text: '' } : { status: 200, bytes: gzipSync(text) };
}

export function appReports(
  account: Account,
  request: SimulatorRequest,
  at: At,
): SimulatorAnswer | null {
  if (!/analyticsReport/.test(request.path)) return null;
  if (request.method !== 'GET') return change(account, request);
  return read(account, request, at);
}
