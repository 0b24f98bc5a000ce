import { describe, expect, test } from 'bun:test';
import { createActivities } from '../../activities/index.ts';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import { at } from '../../src/shared/assert.ts';
import {
  type EventFileJob,
  eventMaintenanceContract,
} from '../../src/temporal/contracts/events.ts';
import * as workflows from '../../workflows/index.ts';
import {
  deafProviders,
  everyRow,
  FORWARDED,
  fullWorld,
  type World,
} from '../support/forged-world.ts';
import { type Door, forge, plainPayload, UNREADABLE } from '../support/forgery/doors.ts';
import { everyFile } from '../support/forgery/event-files.ts';
import { openTemporal } from '../support/forgery/open-temporal.ts';
import { comesToRest, inputOf } from '../support/each-kind.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { type Activities, runTestWorker } from '../support/worker.ts';

const { temporal, doors, httpUrl, uiUrl, secretHost } = await openTemporal();
const { client } = temporal;

const ACTIVITIES = ['1', '2', '3'];

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
  const end = await comesToRest(client, workflowId);
  for (const again of [forge.reset(workflowId), forge.cancel(workflowId)]) {
    await door.send(again);
    await comesToRest(client, workflowId);
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
  await comesToRest(client, workflowId);
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

/** Each kind with files of another organization, alone, beside files of one's own, and as one's own. */
function forgedJobs({ appId, files }: World): EventFileJob[] {
  const groups = [[files.foreign], [files.shared], [files.own, files.foreign]];
  const kinds = ['merge', 'split', 'correct', 'renew', 'expire'] as const;
  return kinds.flatMap((kind) =>
    groups.flatMap((fileIds) => [
      { kind, fileIds },
      { kind, fileIds, appId },
    ]),
  );
}

/** How a run ended: `completed`, or the type of its failure. */
async function endOf(workflowId: string): Promise<string> {
  const thrown: any = await client.workflow
    .getHandle(workflowId)
    .result()
    .then(
      () => null,
      (error: unknown) => error,
    );
  return thrown === null ? 'completed' : thrown.cause?.type;
}

const doorAt = (index: number) => at(doors, index % doors.length);
/** Each door for every type, or each type by one of the doors. */
const ROUNDS = isFullRun
  ? doors.map((door) => ({ name: `by ${door.name}`, doorOf: () => door }))
  : [{ name: 'by gRPC, HTTP and UI in turn', doorOf: doorAt }];

const isOfStore = (call: string) => /^store(Server)?\./.test(call);

describe.each(services)('with $payloads payloads', ({ payloads, outgoing, ...full }) => {
  const { database, service, world } = full;
  const everything = async () => ({
    rows: await everyRow(database.sql),
    files: await everyFile(service.dataDir),
  });

  const withWorker = async (replaced: Partial<Activities>, work: () => Promise<void>) => {
    const worker = await runTestWorker(service.deps, temporal, replaced, ['main', 'files']);
    try {
      await work();
    } finally {
      await worker.stop();
    }
  };

  test.each(ROUNDS)(
    'runs that nobody asked for leave every row, file and outside system as they were, $name',
    ({ doorOf }) =>
      withWorker({}, async () => {
        const before = await everything();
        const ends: Record<string, string> = {};
        for (const [index, type] of Object.keys(workflows).entries()) {
          const door = doorOf(index);
          const named = (workflowId: string) => ({ type, workflowId, world });
          ends[type] = await forgeRun(door, named(`forged-${type}`));
          await forgeAnswers(door, named(`answered-${type}`), 'complete');
          await forgeAnswers(door, named(`failed-${type}`), 'fail');
        }
        expect(await everything()).toEqual(before);
        const asked = payloads === 'plain' ? [FORWARDED] : [];
        expect(new Set(outgoing.filter((call) => !isOfStore(call)))).toEqual(new Set(asked));
        if (payloads === 'encrypted') {
          expect(new Set(Object.values(ends))).toEqual(new Set(['FAILED']));
        }
      }),
  );

  test.each(doors)(
    'jobs that nobody planned, answered in place of the plan, touch no event file, by $name',
    async (door) => {
      const [planned, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const real = createActivities(service.deps, CLEANUP_STEPS);
      const ran: EventFileJob[] = [];
      const replaced: Partial<Activities> = {
        planEventJobs: async () => {
          planned.resolve();
          await answered.promise;
          return [];
        },
        runEventJob: async (job) => {
          ran.push(job);
          return real.runEventJob(job);
        },
      };
      await withWorker(replaced, async () => {
        const before = await everything();
        const { workflowId } = await service.deps.temporal.ensure(eventMaintenanceContract, {});
        await planned.promise;
        const jobs = forgedJobs(world);
        const wasTaken = await door.send(forge.complete(workflowId, '1', jobs));
        answered.resolve();
        const end = await endOf(workflowId);
        expect({ wasTaken, end, ran: ran.length }).toEqual(
          payloads === 'plain'
            ? { wasTaken: true, end: 'completed', ran: jobs.length }
            : { wasTaken: true, end: 'payload_not_encrypted', ran: 0 },
        );
        expect(await everything()).toEqual(before);
      });
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
