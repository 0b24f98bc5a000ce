import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/install.ts';
import { selectTests, serversNeeded } from '../../../scripts/test/select.ts';

const SELF = 'test/unit/runner/select.test.ts';
const SERVERS = 'test/integration/test-servers.test.ts';

describe('selecting test files', () => {
  test('takes a file, a folder or a part of a path', () => {
    expect(selectTests([SELF]).map((file) => file.path)).toEqual([SELF]);
    expect(selectTests(['test/unit/runner']).map((file) => file.path)).toContain(SELF);
    expect(selectTests(['runner/select']).map((file) => file.path)).toEqual([SELF]);
    expect(selectTests(['no-such-test'])).toEqual([]);
  });

  test('does not take a folder for the start of another name', () => {
    expect(selectTests(['test/unit/run'])).toEqual(selectTests(['test/unit/runner']));
    expect(selectTests(['./test/unit/runner/'])).toEqual(selectTests(['test/unit/runner']));
  });

  test('takes every test file when nothing is named', () => {
    const all = selectTests([]).map((file) => file.path);
    expect(all).toContain(SELF);
    expect(all).toContain(SERVERS);
    expect(all).toEqual(all.toSorted());
  });

  test('finds the servers through what a file imports', () => {
    expect(serversNeeded(join(ROOT, SELF))).toEqual(new Set());
    expect(serversNeeded(join(ROOT, SERVERS))).toEqual(new Set(['postgres', 'temporal']));
    expect(serversNeeded(join(ROOT, 'test/support/postgres.ts'))).toEqual(new Set(['postgres']));
  });
});

test('those of a dependency are not ours', () => {
  const theirs = selectTests(['test/compat']).filter(({ path }) => path.includes('node_modules'));
  expect(theirs).toEqual([]);
});
