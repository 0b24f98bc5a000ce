import { describe, expect, test } from 'bun:test';
import { at } from '../../src/shared/assert.ts';
import * as workflows from '../../workflows/index.ts';
import { deafProviders, everyRow, fullWorld, type World } from '../support/forged-world.ts';
import { type Door, forge, plainPayload, UNREADABLE } from '../support/forgery/doors.ts';
import { openTemporal } from '../support/forgery/open-temporal.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { runTestWorker } from '../support/worker.ts';

const { temporal, doors, httpUrl, uiUrl, secretHost } = await openTemporal();
const { client } = temporal;

const FORGED = { force: true, existingProjectRef: null, rows: 1e9 };
/** Does what its pending row asks for, whoever says so. */
const OF_ITS_ROW = new Set(['purchaseForward']);
const ACTIVITIES = ['1', '2', '3'];

const inputOf = (world: World) => ({ ...world, ...FORGED, environment: 'Production' });

/** Until it has ended, or only waits. */
async function comesToRest(workflowId: string): Promise<string> {
  return until('the run comes to rest', async () => {
    const { status, raw } = await client.workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING') return status.name;
    const isBusy = raw.pendingWorkflowTask || (raw.pendingActivities ?? []).some(isFirst);
    return isBusy ? null : status.name;
  });
}
const isFirst = ({ attempt }: { attempt?: number | null }) => (attempt ?? 1) < 2;

type Forged = { type: string; workflowId: string; world: World };

async function start(door: Door, { type, workflowId, world }: Forged): Promise<void> {
  const input = inputOf(world);
  const memo = { ...input, isSealed: true };
  expect(await door.send(forge.start({ type, workflowId, input, memo, orgId: world.orgId }))).toBe(
    true,
  );
}

async function heartbeats(door: Door, workflowId: string, world: World): Promise<void> {
  for (const activityId of ACTIVITIES) {
    for (const payload of [plainPayload(inputOf(world)), ...UNREADABLE]) {
      await door.send(forge.heartbeat(workflowId, activityId, payload));
    }
  }
}

/** Everything that can be said to a run, and then its ends. */
async function forgeRun(door: Door, run: Forged): Promise<string> {
  const { workflowId, world } = run;
  await start(door, run);
  await heartbeats(door, workflowId, world);
  for (const signal of ['stop', 'reconnected', 'deliverNow']) {
    await door.send(forge.signal(workflowId, signal, inputOf(world)));
  }
  for (const update of ['sync', 'connectBackend']) {
    await door.send(forge.update(workflowId, update, inputOf(world)));
  }
  const end = await comesToRest(workflowId);
  for (const again of [forge.reset(workflowId), forge.cancel(workflowId)]) {
    await door.send(again);
    await comesToRest(workflowId);
  }
  await door.send(forge.terminate(workflowId));
  return end;
}

/** Answers every activity of the run in the place of a worker, before one can. */
async function forgeAnswers(door: Door, run: Forged, answer: 'fail' | 'complete'): Promise<void> {
  const { workflowId, world } = run;
  await start(door, run);
  for (const activityId of ACTIVITIES) {
    await door.send(
      answer === 'complete'
        ? forge.complete(workflowId, activityId, inputOf(world))
        : forge.fail(workflowId, activityId, { isLast: activityId !== '1' }),
    );
  }
  await comesToRest(workflowId);
  await door.send(forge.terminate(workflowId));
}

async function fullService(payloads: 'plain' | 'encrypted') {
  const outgoing: string[] = [];
  const database = await testDatabase();
  const service = await startTestService(database, {
    temporal,
    env: { TEMPORAL_PAYLOADS: payloads, FX_RATES_URL: 'file:///nowhere.csv' },
    with: () => deafProviders(outgoing),
  });
  return { payloads, outgoing, database, service, world: await fullWorld(service) };
}

const services = [await fullService('plain'), await fullService('encrypted')];

const doorAt = (index: number) => at(doors, index % doors.length);
/** Each door for every type, or each type by one of the doors. */
const ROUNDS = isFullRun
  ? doors.map((door) => ({ name: `by ${door.name}`, doorOf: () => door }))
  : [{ name: 'by gRPC, HTTP and UI in turn', doorOf: doorAt }];

describe.each(services)('with $payloads payloads', ({ payloads, outgoing, ...full }) => {
  const { database, service, world } = full;

  test.each(ROUNDS)(
    'runs that nobody asked for leave every row and outside system as they were, $name',
    async ({ doorOf }) => {
      const worker = await runTestWorker(service.deps, temporal, {}, ['main', 'files']);
      const before = await everyRow(database.sql);
      const ends: Record<string, string> = {};
      for (const [index, type] of Object.keys(workflows).entries()) {
        if (OF_ITS_ROW.has(type) && payloads === 'plain') continue;
        const door = doorOf(index);
        const named = (workflowId: string) => ({ type, workflowId, world });
        ends[type] = await forgeRun(door, named(`forged-${type}`));
        await forgeAnswers(door, named(`answered-${type}`), 'complete');
        await forgeAnswers(door, named(`failed-${type}`), 'fail');
      }
      expect(await everyRow(database.sql)).toEqual(before);
      expect(outgoing.filter((call) => !/^store(Server)?\./.test(call))).toEqual([]);
      if (payloads === 'encrypted') {
        expect(new Set(Object.values(ends))).toEqual(new Set(['FAILED']));
      }
      await worker.stop();
    },
  );
});

describe('the HTTP API and the UI of the embedded Temporal', () => {
  const path = '/api/v1/namespaces/default/workflows/strange';
  const body = JSON.stringify({ workflowType: { name: 'x' }, taskQueue: { name: 'strangers' } });
  const send = (url: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body }).then(({ status }) => status);

  test('the HTTP API starts nothing for whoever does not know its secret host name', async () => {
    for (const host of [httpUrl.replace('http://', ''), 'localhost', 'evil.example', '127.0.0.1']) {
      expect(await send(httpUrl, { host })).toBe(403);
    }
    expect(await send(httpUrl, { host: secretHost })).toBe(200);
  });

  test('the UI starts nothing for a page of others', async () => {
    expect(await send(uiUrl, { origin: 'http://evil.example' })).toBe(403);
    expect(await send(uiUrl, { host: 'evil.example' })).toBe(403);
    expect(await send(uiUrl, { 'content-type': 'text/plain' })).toBe(400);
  });
});
