import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createBackendProvider } from '../../../../src/providers/backend/client.ts';
import type { BackendProvider } from '../../../../src/providers/backend/port.ts';
import type { ProviderError, ProviderFailure } from '../../../../src/shared/provider-error.ts';
import type { ProviderRateLimit } from '../../../../src/shared/provider-rate-limit.ts';
import {
  type BackendSimulator,
  startBackendSimulator,
} from '../../../simulators/backend/simulator.ts';
import { addProject, newRef, setHealth } from '../../../simulators/backend/state.ts';
import { HTML_500 } from '../../../simulators/kit/faults.ts';
import { openGate } from '../../../support/open-gate.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const NEW = {
  name: 'shop-app_1',
  region: 'eu-west-1',
  databasePassword: 'correct-horse-battery',
} as const;

let sim: BackendSimulator;
let provider: BackendProvider;

const connectTo = (
  options: { gate?: ProviderRateLimit; token?: string; timeoutMs?: number } = {},
) =>
  createBackendProvider({
    baseUrl: sim.url,
    token: options.token ?? 'sbp_sim',
    organization: 'simulatedorganization',
    gate: options.gate ?? openGate,
    clock: () => NOW,
    timeoutMs: options.timeoutMs ?? 2_000,
  });

beforeEach(async () => {
  await sim?.stop();
  sim = await startBackendSimulator({ now: () => NOW });
  provider = connectTo();
});
afterAll(() => sim.stop());

async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  return call.then(
    () => {
      throw new Error('The call was expected to fail.');
    },
    (thrown) => thrown,
  );
}

describe('createProject', () => {
  test('makes one in the app’s region with the given password', async () => {
    const project = await provider.createProject(NEW);
    expect(project.url).toBe(`https://${project.ref}.supabase.co`);
    expect(sim.state.projects.get(project.ref)).toMatchObject({
      name: NEW.name,
      region: 'eu-west-1',
      databasePassword: NEW.databasePassword,
    });
    expect(sim.violations).toEqual([]);
  });

  test('a lost answer is an unknown outcome, and the project is found by its name', async () => {
    provider = connectTo({ timeoutMs: 60 });
    sim.faults.next({ kind: 'silent_after' }, { match: /POST/ });
    const error = await failureOf(provider.createProject(NEW));
    expect([error.failure, error.outcomeUnknown]).toEqual(['unavailable', true]);
    expect(sim.state.projects.size).toBe(1);
    provider = connectTo();
    expect(await provider.findProjects(NEW.name)).toEqual([
      { ref: [...sim.state.projects.keys()][0] ?? '', name: NEW.name, url: expect.any(String) },
    ]);
  });

  test.each<[string, Parameters<BackendSimulator['faults']['next']>[0], boolean]>([
    ['400', { kind: 'status', status: 400, body: '{"message":"name"}' }, false],
    ['401', { kind: 'status', status: 401, body: '{"message":"Unauthorized"}' }, false],
    ['403', { kind: 'status', status: 403, body: '{"message":"Forbidden"}' }, false],
    ['429', { kind: 'status', status: 429, body: '{"message":"slow"}' }, false],
    ['500 with HTML', HTML_500, true],
    ['a hang-up', { kind: 'hang_up' }, true],
    ['a cut', { kind: 'cut' }, true],
    ['a body without a ref', { kind: 'body', body: '{"name":"x"}' }, true],
    ['HTML in a 200', { kind: 'body', body: '<html>' }, true],
  ])('after %s the outcome is known or not', async (_name, fault, outcomeUnknown) => {
    sim.faults.next(fault);
    expect((await failureOf(provider.createProject(NEW))).outcomeUnknown).toBe(outcomeUnknown);
  });
});

describe('readProject', () => {
  test('gives the project', async () => {
    const { ref } = addProject(sim.state, { name: 'by-hand' });
    expect(await provider.readProject(ref)).toEqual({
      ref,
      name: 'by-hand',
      url: `https://${ref}.supabase.co`,
    });
  });

  test.each([404, 403] as const)('an unknown one, here %d, is null', async (status) => {
    sim.state.unknownProjectStatus = status;
    expect(await provider.readProject(newRef())).toBeNull();
  });

  test('another project than asked for is refused', async () => {
    const { ref } = addProject(sim.state, { name: 'a' });
    sim.faults.next({ kind: 'body', body: JSON.stringify({ ref: newRef(), name: 'b' }) });
    expect((await failureOf(provider.readProject(ref))).failure).toBe('malformed');
  });
});

describe('findProjects', () => {
  test('takes only the exact name of what the search gives', async () => {
    addProject(sim.state, { name: 'shop-app_12' });
    const { ref } = addProject(sim.state, { name: 'shop-app_1' });
    const found = await provider.findProjects('shop-app_1');
    expect(found.map((project) => project.ref)).toEqual([ref]);
    expect(sim.violations).toEqual([]);
  });
});

describe('readHealth', () => {
  test('is coming up, healthy or unhealthy', async () => {
    const project = addProject(sim.state, { name: 'a' });
    expect(await provider.readHealth(project.ref)).toBe('coming_up');
    setHealth(project, 'ACTIVE_HEALTHY');
    expect(await provider.readHealth(project.ref)).toBe('healthy');
    project.services.db = { healthy: false, status: 'UNHEALTHY' };
    expect(await provider.readHealth(project.ref)).toBe('unhealthy');
    expect(sim.violations).toEqual([]);
  });
});

describe('faults', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['readProject', () => provider.readProject(newRef())],
    ['findProjects', () => provider.findProjects('x')],
    ['readHealth', () => provider.readHealth(newRef())],
    ['createProject', () => provider.createProject(NEW)],
  ];

  describe.each(calls)('%s', (_name, call) => {
    test.each<[string, Parameters<BackendSimulator['faults']['next']>[0], ProviderFailure]>([
      ['400', { kind: 'status', status: 400, body: '{"message":["a"]}' }, 'invalid'],
      ['401', { kind: 'status', status: 401, body: '{}' }, 'unauthorized'],
      ['409', { kind: 'status', status: 409, body: '{}' }, 'conflict'],
      ['429', { kind: 'status', status: 429, body: '{}' }, 'rate_limited'],
      ['500 with HTML', HTML_500, 'unavailable'],
      ['a hang-up', { kind: 'hang_up' }, 'unavailable'],
      ['a cut', { kind: 'cut' }, 'unavailable'],
      ['another JSON', { kind: 'body', body: '{"a":1}' }, 'malformed'],
      ['HTML in a 200', { kind: 'body', body: '<html>' }, 'malformed'],
    ])('%s', async (_fault, fault, failure) => {
      sim.faults.next(fault);
      expect((await failureOf(call())).failure).toBe(failure);
    });

    test('silence', async () => {
      provider = connectTo({ timeoutMs: 40 });
      sim.faults.next({ kind: 'silent' });
      expect((await failureOf(call())).failure).toBe('unavailable');
    });
  });

  test('the reset header counts the seconds that remain', async () => {
    sim.state.limit = { requests: 1, windowSeconds: 25 };
    await provider.findProjects('x');
    const error = await failureOf(provider.findProjects('x'));
    expect([error.failure, error.retryAfterSeconds]).toEqual(['rate_limited', 25]);
  });

  test('a wrong token is refused', async () => {
    provider = connectTo({ token: 'sbp_other' });
    expect((await failureOf(provider.createProject(NEW))).failure).toBe('unauthorized');
  });

  test('no error repeats the password', async () => {
    for (const fault of [HTML_500, { kind: 'cut' }, { kind: 'body', body: '{}' }] as const) {
      sim.faults.next(fault);
      const error = await failureOf(provider.createProject(NEW));
      expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain(NEW.databasePassword);
    }
  });
});
