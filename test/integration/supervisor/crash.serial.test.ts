import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { processesIn } from '../../../src/launcher/embedded/postgres-predecessor.ts';
import { readRunning } from '../../../src/launcher/running.ts';
import { processStart } from '../../../src/shared/process-identity.ts';
import {
  type Instance,
  isHealthy,
  newDataDir,
  processesOf,
  spawnStart,
  startEnvironment,
  startInstance,
} from '../../support/instance.ts';
import { ROOT } from '../../support/sources.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

/** Also of a zombie: it has ended, and only waits for its new parent to say so. */
const isGone = (pid: number) => processStart(pid) === undefined;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => {
  instance.kill('SIGKILL');
});

describe('a child that is killed', () => {
  for (const name of ['api', 'worker', 'compactor', 'temporal', 'postgres']) {
    test(`${name} comes back, and the others stay`, async () => {
      const before = instance.children();
      process.kill(before[name] ?? 0, 'SIGKILL');
      await until(
        '![undefined, before[name]].includes(instance.children()[name])',
        () => ![undefined, before[name]].includes(instance.children()[name]),
      );
      await until('isHealthy(instance.url)', () => isHealthy(instance.url));
      expect({ ...instance.children(), [name]: 0 }).toEqual({ ...before, [name]: 0 });
    });
  }

  test('all at once come back', async () => {
    const before = instance.children();
    for (const pid of Object.values(before)) process.kill(pid, 'SIGKILL');
    await until('it is so', () => {
      const after = instance.children();
      return Object.keys(before).every((name) => ![undefined, before[name]].includes(after[name]));
    });
    await until('isHealthy(instance.url)', () => isHealthy(instance.url));
  });
});

test('children that hang are replaced, and the others stay', async () => {
  const before = instance.children();
  const { postgres, temporal, ...hanging } = before;
  for (const pid of Object.values(hanging)) process.kill(pid, 'SIGSTOP');
  await until('each has a successor', (saw) => {
    const after = instance.children();
    saw(after);
    return Object.entries(hanging).every(([name, pid]) => ![undefined, pid].includes(after[name]));
  });
  await until('isHealthy(instance.url)', () => isHealthy(instance.url));
  expect(instance.children()).toMatchObject({ postgres, temporal });
  expect(instance.log()).toContain('process is stuck');
}, 600_000);

test('databases that hang, with all of their helpers, are replaced, and the others stay', async () => {
  const { postgres = 0, temporal = 0, ...others } = instance.children();
  const frozen = [temporal, ...processesIn(join(instance.dataDir, 'postgres'))];
  expect(frozen).toContain(postgres);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  const beganAt = performance.now();
  await until('each has a successor', (saw) => {
    const after = instance.children();
    saw(after);
    return (
      ![undefined, postgres].includes(after.postgres) &&
      ![undefined, temporal].includes(after.temporal)
    );
  });
  await until('isHealthy(instance.url)', () => isHealthy(instance.url));
  console.log(`  databases that hung are back after ${Math.round(performance.now() - beganAt)} ms`);
  expect(instance.children()).toMatchObject(others);
  expect(frozen.filter((pid) => !isGone(pid))).toEqual([]);
}, 600_000);

describe('a supervisor that is killed', () => {
  const rounds = process.env.TEST_FULL === '1' ? 10 : 1;

  test(`the next start recovers at once (${rounds} times)`, async () => {
    const { dataDir } = instance;
    for (let round = 0; round < rounds; round += 1) {
      const left = Object.values(instance.children());
      instance.kill('SIGKILL');
      await instance.exited;
      instance = await startInstance({ dataDir });
      expect(left.filter((pid) => !isGone(pid))).toEqual([]);
      await until('isHealthy(instance.url)', () => isHealthy(instance.url));
    }
  });

  test('its children end by themselves', async () => {
    const left = Object.values(instance.children());
    instance.kill('SIGKILL');
    await until('left.every(isGone)', () => left.every(isGone));
    await until(
      'processesOf(instance.dataDir).length === 0',
      () => processesOf(instance.dataDir).length === 0,
    );
  });
});

describe('a start that is killed half-way', () => {
  const dataDir = newDataDir();
  let run: Bun.Subprocess;

  test('leaves nothing that stops the next one', async () => {
    for (const delayMs of [150, 400, 900]) {
      const { child } = spawnStart({ dataDir });
      await pause(delayMs, 'a kill at a moment of the start');
      child.kill('SIGKILL');
      await child.exited;
    }
    const started = Bun.spawn([process.execPath, 'run', 'start'], {
      cwd: ROOT,
      env: startEnvironment(dataDir),
      stdout: 'ignore',
      stderr: 'pipe',
    });
    run = started;
    const said = new Response(started.stderr).text();
    const api = await until('it is ready', async () => {
      if (run.exitCode !== null) throw new Error(`It ended (${run.exitCode}):\n${await said}`);
      return (await readRunning(dataDir))?.places.API;
    });
    await until('it is healthy', () => isHealthy(api));
  });

  test('a kill of the "bun run start" that followed ends it too', async () => {
    run.kill('SIGKILL');
    await run.exited;
    await until('every process has ended', () => processesOf(dataDir).length === 0);
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false);
  });
});
