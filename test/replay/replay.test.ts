import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { Glob } from 'bun';
import pino from 'pino';
import { buildWorkflowBundle } from '../../src/temporal/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { REPLAY_DIR } from '../support/history.ts';

const bundle = await buildWorkflowBundle(pino({ level: 'silent' }));
const fixtures = [...new Glob('*/*.json').scanSync(REPLAY_DIR)].toSorted();
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('histories of earlier runs', () => {
  test.each(fixtures)('%s replays on the workflows of today', async (fixture) => {
    const history = historyFromJSON(await Bun.file(join(REPLAY_DIR, fixture)).json());
    await Worker.runReplayHistory({ workflowBundle: bundle }, history);
  });

  test('every workflow has at least one', () => {
    const covered = new Set(fixtures.map((fixture) => fixture.split('/')[0]));
    const missing = Object.keys(workflows).filter((name) => !covered.has(kebab(name)));
    expect(missing).toEqual([]);
  });
});

describe('the bundle', () => {
  test('holds every exported workflow and nothing of Bun or Node', () => {
    for (const name of Object.keys(workflows)) expect(bundle.code).toContain(name);
    expect(bundle.code).not.toMatch(/require\("(bun|node:|fs|net)/);
  });
});
