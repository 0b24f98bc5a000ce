import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readSources } from '../support/sources.ts';

const page = readFileSync(join(ROOT, 'docs/whole-figures.md'), 'utf8');
const pathsIn = (heading: string): string[] => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = '']) => path);
};
const production = readSources('src/**/*.ts').filter(
  ({ path }) => !path.startsWith('src/console/'),
);
const filesWith = (pattern: RegExp): string[] =>
  production.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

/** Of how the process is wired, not of data. */
const OF_WIRING = [
  ...['src/demo/market.ts', 'src/event-store/projection/column.ts', 'src/http/access.ts'],
  ...['src/http/state.ts', 'src/shared/single-flight.ts', 'src/storage/audit.ts'],
  'src/storage/postgres.ts',
];

test('the page of whole figures names every cache', () => {
  const caches = filesWith(/\bnew (LRUCache|WeakMap|VerifiedCache)\b|= singleFlight[<(]/);
  expect(caches.length).toBeGreaterThan(30);
  const listed = pathsIn('Caches');
  expect(caches.filter((path) => ![...listed, ...OF_WIRING].includes(path))).toEqual([]);
  expect(listed.filter((path) => !caches.includes(path))).toEqual([]);
});

test('the page of whole figures names every reader that infers an end', () => {
  const readers = filesWith(
    /\.fetchChunk\(|\.cursor\(|isTruncated|\bbytesRead\b|\bhasMore\?: |page\.hasMore|checkRows\(/,
  ).filter((path) => !['src/storage/missing-rows.ts', 'src/storage/unpack.ts'].includes(path));
  const listed = pathsIn('Ends');
  const builds = 'src/event-store/projection/project.ts';
  expect(readers.filter((path) => path !== builds && !listed.includes(path))).toEqual([]);
  for (const path of listed) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
});
