import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildRecords, stopOrphans } from '../../../src/launcher/records.ts';
import { identify, isAlive } from '../../../src/shared/process-identity.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'records-'));
const sleeper = () => Bun.spawn(['sleep', '600']);

/** A record as a supervisor that is gone has left it. */
function leaveRecord(dataDir: string, children: unknown[]): void {
  mkdirSync(join(dataDir, 'children'), { recursive: true });
  const supervisor = { pid: process.pid, startedAt: 'before this one' };
  const path = join(dataDir, 'children', `${hostname()}-${process.pid}.json`);
  writeFileSync(path, JSON.stringify({ supervisor, children }));
}

const recordOf = (pid: number, name = 'api') => ({ name, stopSignal: 'SIGTERM', ...identify(pid) });

describe('the identity of a process', () => {
  test('tells a process from a later one with the same pid', async () => {
    const child = sleeper();
    const identity = identify(child.pid);
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ ...identity, startedAt: 'another time' })).toBe(false);
    child.kill('SIGKILL');
    await child.exited;
    expect(isAlive(identity)).toBe(false);
  });

  test('two processes are never the same', () => {
    expect(identify(process.pid)).not.toEqual(identify(process.ppid));
  });
});

describe('the records of children', () => {
  test('are for the owner only, and gone when everything has ended', async () => {
    const dataDir = newFolder();
    const child = sleeper();
    const records = new ChildRecords(dataDir);
    records.add('api', child.pid, 'SIGTERM');
    const path = join(dataDir, 'children', `${hostname()}-${process.pid}.json`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await records.end();
    expect(await child.exited).not.toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test('of a dead supervisor name what has to be stopped', async () => {
    const dataDir = newFolder();
    const children = [sleeper(), sleeper()];
    leaveRecord(dataDir, [recordOf(children[0]!.pid), recordOf(children[1]!.pid, 'postgres')]);
    expect(await stopOrphans(dataDir)).toEqual(['api', 'postgres']);
    await Promise.all(children.map((child) => child.exited));
    expect(readdirSync(join(dataDir, 'children'))).toEqual([]);
  });

  test('a process that only has the pid of a child is left alone', async () => {
    const dataDir = newFolder();
    const bystander = sleeper();
    leaveRecord(dataDir, [{ ...recordOf(bystander.pid), startedAt: '1' }]);
    expect(await stopOrphans(dataDir)).toEqual([]);
    expect(isAlive(identify(bystander.pid))).toBe(true);
    bystander.kill('SIGKILL');
  });

  test('what ignores the signal is killed', async () => {
    const dataDir = newFolder();
    const script = "trap '' TERM; echo ready; while :; do sleep 1; done";
    const stubborn = Bun.spawn(['sh', '-c', script], { stdout: 'pipe' });
    await stubborn.stdout.getReader().read();
    leaveRecord(dataDir, [recordOf(stubborn.pid)]);
    expect(await stopOrphans(dataDir)).toEqual(['api']);
    await stubborn.exited;
    expect(stubborn.signalCode).toBe('SIGKILL');
  });

  test('the children of a supervisor that lives are not touched', async () => {
    const dataDir = newFolder();
    const child = sleeper();
    const records = new ChildRecords(dataDir);
    records.add('api', child.pid, 'SIGTERM');
    expect(await stopOrphans(dataDir)).toEqual([]);
    expect(isAlive(identify(child.pid))).toBe(true);
    await records.end();
  });

  test('the records of another host are not ours to judge', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'children'));
    writeFileSync(join(dataDir, 'children', 'another-container-1.json'), '{}');
    expect(await stopOrphans(dataDir)).toEqual([]);
    expect(readdirSync(join(dataDir, 'children'))).toEqual(['another-container-1.json']);
  });

  test('a file that is no record is cleared away', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'children'));
    writeFileSync(join(dataDir, 'children', `${hostname()}-12.json`), '{"supervisor":');
    expect(await stopOrphans(dataDir)).toEqual([]);
    expect(readdirSync(join(dataDir, 'children'))).toEqual([]);
  });
});
