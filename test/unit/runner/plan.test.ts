import { describe, expect, test } from 'bun:test';
import { availableParallelism } from 'node:os';
import { runInLanes } from '../../../scripts/test/lanes.ts';
import { type Job, planJobs } from '../../../scripts/test/plan.ts';
import type { ServerName, TestFile } from '../../../scripts/test/select.ts';
import { needsTools, planAroundTools, watchTools } from '../../../scripts/test/tools.ts';
import { nextTurn } from '../../support/pause.ts';

const file = (path: string, ...needs: ServerName[]): TestFile => ({
  path: `test/${path}.test.ts`,
  needs: new Set(needs),
  serial: path.endsWith('.serial'),
});
const pathsOf = (job: Job) => job.files.map(({ path }) => path.slice(5, -8));

describe('the plan of a test run', () => {
  test('shares processes, but for whole services', () => {
    const files = [
      file('integration/a/one', 'postgres'),
      file('integration/a/runs', 'postgres', 'temporal'),
      file('integration/b/page'),
      file('integration/a/kills.serial', 'postgres'),
    ];
    expect(planJobs(files, {}).map(pathsOf).toSorted()).toEqual([
      ['integration/a/kills.serial'],
      ['integration/a/one', 'integration/a/runs', 'integration/b/page'],
    ]);
  });

  test('gives unit tests a process for each core, about equally long', () => {
    const cores = availableParallelism();
    const files = Array.from({ length: cores * 3 }, (_, index) => file(`unit/a/${index}`));
    const long = Object.fromEntries(files.slice(0, cores).map(({ path }) => [path, 60]));
    for (const job of planJobs(files, long)) {
      expect(job.files).toHaveLength(3);
      expect(job.seconds).toBe(60);
    }
    expect(planJobs(files.slice(0, 1), long).map((job) => job.label)).toEqual([
      'test/unit/a/0.test.ts',
    ]);
  });

  test('begins with the longest, and puts no more than three minutes together', () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => file(`integration/x/${name}`, 'postgres'));
    const seconds = {
      'test/integration/x/a.test.ts': 170,
      'test/integration/x/b.test.ts': 9,
      'test/integration/x/c.test.ts': 181,
    };
    const jobs = planJobs(files, seconds);
    expect(jobs.map(pathsOf)).toEqual([
      ['integration/x/c'],
      ['integration/x/a', 'integration/x/b'],
      ['integration/x/d'],
    ]);
    expect(jobs[1]?.label).toBe('test/integration/x: a, b');
  });
});

describe('the lanes of a test run', () => {
  const jobs: Job[] = Array.from({ length: 12 }, (_, index) => {
    const one = file(index % 2 ? `integration/${index}.serial` : `integration/${index}`);
    return { label: one.path, files: [one], serial: one.serial, seconds: 0 };
  });
  async function run(
    full: boolean,
    interrupted = new AbortController(),
    tools = watchTools(undefined, interrupted.signal),
  ) {
    const running = new Set<Job>();
    const seen: { job: Job; beside: Job[] }[] = [];
    const one = async (job: Job) => {
      seen.push({ job, beside: [...running] });
      running.add(job);
      await nextTurn();
      running.delete(job);
    };
    await runInLanes(jobs, one, { full, interrupted: interrupted.signal, tools });
    return seen;
  }

  test('run every job once', async () => {
    for (const full of [false, true]) {
      const seen = await run(full);
      expect(new Set(seen.map(({ job }) => job))).toEqual(new Set(jobs));
      expect(seen).toHaveLength(jobs.length);
    }
  });

  test('leave whole services alone when their counts are full', async () => {
    for (const { job, beside } of await run(true)) {
      if (job.serial) expect(beside).toEqual([]);
    }
    expect((await run(false)).some(({ job, beside }) => job.serial && beside.length > 0)).toBe(
      true,
    );
  });

  test('run every other job while tools are installed', async () => {
    const needing = jobs.slice(0, 2);
    const seen: Job[] = [];
    const { promise: installed, resolve } = Promise.withResolvers<void>();
    const isAwaitedBy = (job: Job) => seen.length < jobs.length - 2 && needing.includes(job);
    const one = async (job: Job) => {
      seen.push(job);
      if (seen.length === jobs.length - 2) resolve();
    };
    const { signal } = new AbortController();
    await runInLanes(jobs, one, {
      full: false,
      interrupted: signal,
      tools: { installed, isAwaitedBy },
    });
    expect(new Set(seen.slice(-2))).toEqual(new Set(needing));
    expect(seen).toHaveLength(jobs.length);
  });

  test('begin nothing more once interrupted', async () => {
    const interrupted = new AbortController();
    interrupted.abort();
    expect(await run(false, interrupted)).toEqual([]);
  });
});

describe('the tools of a test run', () => {
  const named = ['unit/deployment/nginx', 'integration/storage/object-store', 'unit/runner/plan'];
  const files = named.map((name) => file(name));

  test('are needed where a test or its support looks for one', () => {
    expect(files.map(needsTools)).toEqual([true, true, false]);
  });

  test('hold back no file that needs none', () => {
    const held = planAroundTools(files, {}, '1').filter((job) => job.needsTools);
    expect(held.flatMap(pathsOf).toSorted()).toEqual(named.slice(0, 2).toSorted());
    expect(planAroundTools(files, {}, undefined).some((job) => job.needsTools)).toBe(false);
  });

  test('are there once the installer has ended', async () => {
    const installer = Bun.spawn(['cat'], { stdin: 'pipe' });
    const tools = watchTools(String(installer.pid), new AbortController().signal);
    const [job] = planAroundTools(files.slice(0, 1), {}, String(installer.pid));
    if (!job) throw new Error('no job');
    expect(tools.isAwaitedBy(job)).toBe(true);
    installer.stdin.end();
    await tools.installed;
    expect(tools.isAwaitedBy(job)).toBe(false);
  });
});
