import { Type } from '@sinclair/typebox';
import { createGrants, type GoogleKey, readServiceAccount } from '../../shared/google-grant.ts';
import { decodeJson, type HttpAnswer } from '../../shared/http.ts';
import {
  failureOfStatus,
  ProviderError,
  type ProviderFailure,
  waitSeconds,
} from '../../shared/provider-error.ts';
import { exchangeWith } from '../../shared/provider-http.ts';
import { parser } from '../../shared/schema.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import type { PlayReports } from './port.ts';
import type { PlayReport, ReportFile } from './report.ts';

/** Google leaves out an empty `items`, and adds fields at any time. */
const listAnswer = parser(
  Type.Object({
    items: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, maxLength: 1_024 }),
          generation: Type.String({ pattern: '^[0-9]{1,20}$' }),
          updated: Type.String({ format: 'date-time' }),
        }),
        { maxItems: 1_000 },
      ),
    ),
    nextPageToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  }),
  'list of a bucket',
);
type ListAnswer = ReturnType<typeof listAnswer.parse>;

/** Installs by country alone: each dimension counts the same installs. */
const NAMES: Readonly<Record<PlayReport, RegExp>> = {
  sales: /^sales\/salesreport_(\d{4})(\d{2})[^/]*\.(?:zip|csv)$/,
  earnings: /^earnings\/earnings_(\d{4})(\d{2})_[^/]*\.(?:zip|csv)$/,
  installs: /^stats\/installs\/installs_[A-Za-z0-9._]+_(\d{4})(\d{2})_country\.csv$/,
};

type Listed = { name: string; generation: string; updated: string };

/** Null for another file. */
function reportFile(report: PlayReport, listed: Listed): ReportFile | null {
  const { name, generation, updated } = listed;
  const [, year, month] = NAMES[report].exec(name) ?? [];
  if (year === undefined || month === undefined || month < '01' || month > '12') return null;
  return { name, report, month: `${year}-${month}`, generation, updatedAt: new Date(updated) };
}

const LIST_TIMEOUT_MS = 10 * SECOND_MS;
const LIST_MAX_BYTES = 4 * 1024 * 1024;
const PAGE = '1000';
/** Twenty apps of five years have about 12,000 files of installs. */
const MAX_PAGES = 50;
const DOWNLOAD_TIMEOUT_MS = 2 * MINUTE_MS;
/** A million orders a month take about 30 MB. */
const DOWNLOAD_MAX_BYTES = 128 * 1024 * 1024;

const PREFIXES: Readonly<Record<PlayReport, string>> = {
  sales: 'sales/salesreport_',
  earnings: 'earnings/earnings_',
  installs: 'stats/installs/installs_',
};

const MESSAGES: Partial<Record<ProviderFailure, string>> = {
  forbidden:
    'The service account may not read the reports: invite its e-mail address in Play Console under Users and permissions, with "View app information and download bulk reports" and "View financial data" for the whole account. It takes up to 36 hours to take effect.',
  not_found:
    'Google has no such bucket: copy the Cloud Storage URI in Play Console under Download reports.',
};

export type PlayReportsOptions = { baseUrl: string; tokenUrl: string; clock: Clock };

type Asked = { path: string; timeoutMs: number; maxBytes: number };

function refuse(answer: HttpAnswer, now: Date): void {
  const failure = failureOfStatus(answer.status);
  if (failure === null) return;
  const message = MESSAGES[failure] ?? `Google Cloud Storage answered ${answer.status}.`;
  throw new ProviderError(failure, message, {
    status: answer.status,
    ...(failure === 'rate_limited' && { retryAfterSeconds: waitSeconds(answer, now, null) }),
  });
}

function parsePage(answer: HttpAnswer): ListAnswer {
  const body = decodeJson(answer);
  if (listAnswer.check(body)) return body;
  throw new ProviderError('malformed', 'Google sent a list of reports of an unknown shape.');
}

/** Client of Cloud Storage, where Play Console puts an account's reports. */
export function createPlayReports({ baseUrl, tokenUrl, clock }: PlayReportsOptions): PlayReports {
  const grants = createGrants({ tokenUrl, scope: 'devstorage.read_only', clock });

  async function exchange(key: GoogleKey, bucket: string, asked: Asked): Promise<HttpAnswer> {
    const { path, timeoutMs, maxBytes } = asked;
    const token = await grants.token(key);
    return exchangeWith({
      method: 'GET',
      url: new URL(`${baseUrl}/storage/v1/b/${encodeURIComponent(bucket)}/${path}`),
      headers: { authorization: `Bearer ${token}` },
      timeoutMs,
      maxBytes,
    });
  }

  /** Once more with a fresh token, where the kept one was taken back. */
  async function get(key: GoogleKey, bucket: string, asked: Asked): Promise<HttpAnswer> {
    let answer = await exchange(key, bucket, asked);
    if (failureOfStatus(answer.status) === 'unauthorized') {
      grants.forget(key);
      answer = await exchange(key, bucket, asked);
    }
    refuse(answer, clock());
    return answer;
  }

  async function page(key: GoogleKey, bucket: string, report: PlayReport, token: string | null) {
    const query = new URLSearchParams({
      prefix: PREFIXES[report],
      maxResults: PAGE,
      fields: 'items(name,generation,updated),nextPageToken',
      ...(token !== null && { pageToken: token }),
    });
    const limits = { timeoutMs: LIST_TIMEOUT_MS, maxBytes: LIST_MAX_BYTES };
    return parsePage(await get(key, bucket, { path: `o?${query}`, ...limits }));
  }

  return {
    readKey: readServiceAccount,
    async list(key, bucket, report) {
      const files: ReportFile[] = [];
      let token: string | null = null;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const { items = [], nextPageToken = null } = await page(key, bucket, report, token);
        files.push(...items.flatMap((item) => reportFile(report, item) ?? []));
        token = nextPageToken;
        if (token === null) return files;
      }
      throw new ProviderError('unavailable', 'The bucket holds more reports than are listed.');
    },
    async download(key, bucket, { name, generation }) {
      const path = `o/${encodeURIComponent(name)}?alt=media&generation=${generation}`;
      const limits = { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: DOWNLOAD_MAX_BYTES };
      return (await get(key, bucket, { path, ...limits })).bytes;
    },
  };
}
