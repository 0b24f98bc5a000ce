import { describe, expect, test } from 'bun:test';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { Glob } from 'bun';
import pino from 'pino';
import { workflowBundlePath } from '../../src/temporal/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { REPLAY_DIR } from '../support/history.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
// Below a file nothing can be kept.
const folders = [join(import.meta.path, 'nowhere'), join(folder, 'kept')];
const log = pino({ level: 'silent' });
const codePath = await workflowBundlePath(folders, log);
const fixtures = [...new Glob('*/*.json').scanSync(REPLAY_DIR)].toSorted();
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('histories of earlier runs', () => {
  test.each(fixtures)('%s replays on the workflows of today', async (fixture) => {
    const history = historyFromJSON(await Bun.file(join(REPLAY_DIR, fixture)).json());
    await Worker.runReplayHistory({ workflowBundle: { codePath } }, history);
  });

  test('every workflow has at least one', () => {
    const covered = new Set(fixtures.map((fixture) => fixture.split('/')[0]));
    const missing = Object.keys(workflows).filter((name) => !covered.has(kebab(name)));
    expect(missing).toEqual([]);
  });
});

describe('the bundle', () => {
  test('is built once, and kept in the first folder that can be written', async () => {
    expect(dirname(codePath)).toBe(join(folder, 'kept'));
    const { mtimeMs } = statSync(codePath);
    expect(await workflowBundlePath(folders, log)).toBe(codePath);
    expect(statSync(codePath).mtimeMs).toBe(mtimeMs);
    expect(await workflowBundlePath([join(folder, 'kept'), folder], log)).toBe(codePath);
  });

  test('holds every exported workflow and nothing of Bun or Node', async () => {
    const code = await Bun.file(codePath).text();
    for (const name of Object.keys(workflows)) expect(code).toContain(name);
    expect(code).not.toMatch(/require\("(bun|node:|fs|net)/);
  });
});
