import { ProviderError } from '../../shared/provider-error.ts';
import type { ProviderHttp } from '../../shared/provider-http.ts';
import { historyKey, toPublishedPost, toScheduledPost } from './map.ts';
import type { PublishedPost, PublishHistory, ScheduledPost } from './port.ts';
import { historyAnswer, historyRow, scheduleAnswer } from './wire.ts';

const PAGE = 100;
const MOST_PAGES = 10;
/** Smallest server page, so a shorter one is the last. */
const SMALLEST_PAGE = 10;
const MOST_POSTS = 100;
const TIME_LIMIT_MS = 20_000;

function startDeadline(): () => void {
  const endMs = performance.now() + TIME_LIMIT_MS;
  return () => {
    if (performance.now() <= endMs) return;
    throw new ProviderError('unavailable', 'publisher took too long for all pages.');
  };
}

/** The page size is undocumented, and the older form ignores `offset`. */
export async function readSchedule(http: ProviderHttp, username: string): Promise<ScheduledPost[]> {
  const posts = new Map<string, ScheduledPost>();
  const seen = new Set<string>();
  let offset = 0;
  const checkDeadline = startDeadline();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    checkDeadline();
    const query = { profile_username: username, limit: String(PAGE), offset: String(offset) };
    const call = { method: 'GET', path: '/uploadposts/schedule', query } as const;
    const answer = await http(call, scheduleAnswer);
    const rows = Array.isArray(answer) ? answer : answer.scheduled_posts;
    const before = seen.size;
    for (const row of rows) {
      seen.add(JSON.stringify(readJobId(row)));
      const post = toScheduledPost(row, username);
      if (post) posts.set(post.jobId, post);
    }
    offset += rows.length;
    if (rows.length < SMALLEST_PAGE || seen.size === before) break;
  }
  return [...posts.values()].toSorted(
    (a, b) => Date.parse(a.scheduledAt) - Date.parse(b.scheduledAt),
  );
}

function readJobId(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'job_id' in row ? row.job_id : row;
}

type HistoryCount = { posts: PublishedPost[]; leftOut: number; foreign: boolean };

/** The provider ignores unknown filters. `total` is exact on the last page only. */
export async function readHistory(http: ProviderHttp, username: string): Promise<PublishHistory> {
  const count: HistoryCount = { posts: [], leftOut: 0, foreign: false };
  const seen = new Set<string>();
  const checkDeadline = startDeadline();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    checkDeadline();
    const query = { profile_username: username, page: String(page), limit: String(PAGE) };
    const call = { method: 'GET', path: '/uploadposts/history', query } as const;
    const answer = await http(call, historyAnswer);
    const fresh = addRows(count, seen, answer.history, username);
    const isLast = answer.history.length < PAGE || !fresh;
    if (isLast || count.posts.length >= MOST_POSTS) {
      return summarise(count, isLast ? null : (answer.total ?? null));
    }
  }
  return summarise(count, null);
}

function addRows(
  count: HistoryCount,
  seen: Set<string>,
  rows: readonly unknown[],
  username: string,
): boolean {
  const before = seen.size;
  for (const row of rows) {
    const known = historyRow.check(row);
    const key = known ? historyKey(row) : JSON.stringify(row);
    if (seen.has(key)) continue;
    seen.add(key);
    const post = known ? toPublishedPost(row, username) : null;
    if (post) count.posts.push(post);
    else count.leftOut += 1;
    if (known && row.profile_username !== username) count.foreign = true;
  }
  return seen.size > before;
}

function summarise(count: HistoryCount, providerTotal: number | null) {
  const newestFirst = count.posts.toSorted(
    (a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt),
  );
  const estimate = providerTotal === null || count.foreign ? 0 : providerTotal - count.leftOut;
  return {
    posts: newestFirst.slice(0, MOST_POSTS),
    total: Math.max(count.posts.length, estimate),
  };
}
