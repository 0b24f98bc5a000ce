import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../../src/shared/time.ts';
import {
  type CredentialSource,
  refreshing,
  roleSource,
  type S3Role,
} from '../../../src/storage/object-store/credentials.ts';
import { s3ObjectStore } from '../../../src/storage/object-store/s3.ts';
import {
  CONTAINER_PATH,
  CONTAINER_TOKEN,
  ROLE_ARN,
  startAwsSimulator,
} from '../../simulators/aws/credentials.ts';
import { HTML_500 } from '../../simulators/kit/faults.ts';
import { temporaryFolder } from '../../support/events.ts';
import { until } from '../../support/until.ts';

const tokenFile = join(temporaryFolder('web-identity'), 'token');
let webIdentityToken = 'identity-1';
writeFileSync(tokenFile, webIdentityToken);
const aws = await startAwsSimulator(() => webIdentityToken);
const endpointBefore = process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT;
process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT = aws.url;
afterAll(async () => {
  if (endpointBefore === undefined) delete process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT;
  else process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT = endpointBefore;
  await aws.stop();
});
afterEach(() => {
  aws.faults.clear();
  expect(aws.violations).toEqual([]);
});

const ROLES: S3Role[] = [
  { kind: 'instance-role' },
  {
    kind: 'container-role',
    relativeUri: undefined,
    fullUri: `${aws.url}${CONTAINER_PATH}`,
    token: CONTAINER_TOKEN,
    tokenFile: undefined,
  },
  {
    kind: 'web-identity',
    tokenFile,
    roleArn: ROLE_ARN,
    sessionName: 'control-plane',
    region: 'eu-central-1',
    endpoint: aws.url,
  },
];

const keys = (name: string) => ({
  accessKeyId: `AKIA${name}`,
  secretAccessKey: `secret-${name}`,
  sessionToken: `token-${name}`,
});

describe.each(ROLES)('the keys of a role ($kind)', (role) => {
  test('are asked for, with when they expire', async () => {
    aws.issue(keys('first'), 3_600_000);
    const given = await roleSource(role)();
    expect(given).toMatchObject(keys('first'));
    const leftMs = given.expiration!.getTime() - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThanOrEqual(3_600_000);
  });

  test('come after a fault of the service that gives them', async () => {
    aws.issue(keys('after'), 3_600_000);
    aws.faults.next(HTML_500);
    aws.faults.next({ kind: 'hang_up' });
    const source = roleSource(role);
    let given = null;
    for (let tries = 0; given === null && tries < 4; tries += 1) {
      given = await source().catch(() => null);
    }
    expect(given).toMatchObject(keys('after'));
  });
});

test('a web identity is read anew each time: its file is replaced', async () => {
  webIdentityToken = 'identity-2';
  writeFileSync(tokenFile, webIdentityToken);
  aws.issue(keys('second'), 3_600_000);
  expect(await roleSource(ROLES[2]!)()).toMatchObject(keys('second'));
});

describe('credentials that expire', () => {
  /** A source of which a test says what it answers, by a clock of the test. */
  function openSource() {
    let nowMs = Date.parse('2026-11-01T00:00:00Z');
    let asked = 0;
    let answer: CredentialSource = async () => ({
      ...keys(String(asked)),
      expiration: new Date(nowMs + 60 * MINUTE_MS),
    });
    const source = refreshing(
      () => {
        asked += 1;
        return answer();
      },
      () => new Date(nowMs),
    );
    return {
      get: async () => (await source()).accessKeyId,
      asked: () => asked,
      pass: (ms: number) => {
        nowMs += ms;
      },
      answerWith: (given: CredentialSource) => {
        answer = given;
      },
      nowMs: () => nowMs,
    };
  }

  test('are asked for once, however many requests wait', async () => {
    const source = openSource();
    const given = await Promise.all([source.get(), source.get(), source.get()]);
    expect(new Set(given)).toEqual(new Set(['AKIA1']));
    source.pass(54 * MINUTE_MS);
    expect(await source.get()).toBe('AKIA1');
    expect(source.asked()).toBe(1);
  });

  test('are replaced before that, while requests go on with the old ones', async () => {
    const source = openSource();
    await source.get();
    source.pass(56 * MINUTE_MS);
    expect(await source.get()).toBe('AKIA1');
    await until('the new ones are used', async () => (await source.get()) === 'AKIA2');
    expect(source.asked()).toBe(2);
  });

  test('serve to their end while new ones cannot be had, and then every request says why', async () => {
    const source = openSource();
    await source.get();
    source.answerWith(() => Promise.reject(new Error('the service is away')));
    source.pass(59.5 * MINUTE_MS);
    expect(await source.get()).toBe('AKIA1');
    const asked = source.asked();
    expect(await source.get()).toBe('AKIA1');
    expect(source.asked()).toBe(asked);
    source.pass(30 * SECOND_MS);
    await expect(source.get()).rejects.toThrow('the service is away');
  });

  test('and have done so already are refused', async () => {
    const source = openSource();
    source.answerWith(async () => ({ ...keys('old'), expiration: new Date(source.nowMs() - 1) }));
    await expect(source.get()).rejects.toThrow('have already expired');
  });
});

test('requests to the bucket go with the credentials of the moment', async () => {
  const seen: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      seen.push(request.headers.get('x-amz-security-token'));
      return new Response(null, { headers: { etag: '"x"' } });
    },
  });
  const tokens = [keys('one'), keys('one'), keys('two')];
  const [first, , second] = tokens;
  let turn = 0;
  const store = s3ObjectStore({
    bucket: 'bucket',
    prefix: '',
    endpoint: server.url.origin,
    region: 'us-east-1',
    credentials: async () => (turn < 2 ? first! : second!),
    cacheDir: temporaryFolder('roles'),
  });
  for (; turn < 3; turn += 1) await store.putBytes(`events/${turn}`, Buffer.from('x'));
  expect(seen).toEqual(['token-one', 'token-one', 'token-two']);
  await server.stop(true);
});
