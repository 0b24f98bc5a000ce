import { describe, expect, test } from 'bun:test';
import { loadConfig } from '../../src/config.ts';
import { ConfigError, EnvReader } from '../../src/shared/env.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.problems;
    throw thrown;
  }
  return [];
};

test('a variable nearly named as a setting is named, those of other programs are not', () => {
  const env = {
    SMPT_URL: 'x',
    EVENT_URL: 'x',
    AWS_ENDPOINT_URL_S3: 'x',
    HOSTNAME: 'x',
    PORTS: '1',
  };
  const reader = new EnvReader(env);
  for (const name of ['SMTP_URL', 'EVENTS_URL', 'AWS_ENDPOINT_URL_STS', 'HOST', 'PORT']) {
    reader.text(name);
  }
  expect(reader.misspelt()).toEqual([
    'SMPT_URL is no setting; SMTP_URL is one.',
    'EVENT_URL is no setting; EVENTS_URL is one.',
  ]);
});

describe('loadConfig', () => {
  test('needs nothing', () => {
    const config = loadConfig({});
    expect(config.port).toBe(3000);
    expect(config.host).toBe('127.0.0.1');
    expect(config.dataDir.endsWith('/.data')).toBe(true);
    expect(config.roles).toEqual(['api', 'compactor', 'worker', 'query']);
    expect(config.databaseUrl).toBeUndefined();
    expect(config.secretsKeys).toEqual([]);
    expect(config.signUp).toBe('invite');
    expect(config.query.timeoutSeconds).toBe(25);
  });

  test('names every wrong variable in one message', () => {
    const problems = problemsOf({
      PORT: '70000',
      TRUST_PROXY: 'yes',
      ROLE: 'api,cook',
      SECRETS_KEY: 'c2hvcnQ=',
      DATABASE_URL: 'mysql://x/y',
      SIGN_UP: 'maybe',
      EGRESS_ALLOW: 'nowhere',
      CONSOLE_ORIGINS: 'https://a.example/path',
      TEMPORAL_ADDRESS: 'temporal',
      RATE_LIMIT_SCALE: '0',
      CRON_SECRET: 'short',
    });
    const names = problems.map((line) => line.split(' ')[0]).toSorted();
    expect(names).toEqual([
      'CONSOLE_ORIGINS',
      'CRON_SECRET',
      'DATABASE_URL',
      'EGRESS_ALLOW',
      'PORT',
      'RATE_LIMIT_SCALE',
      'ROLE',
      'SECRETS_KEY',
      'SIGN_UP',
      'TEMPORAL_ADDRESS',
      'TRUST_PROXY',
    ]);
  });

  test('backups are made after hours within bounds, or parts of one', () => {
    const env = { BACKUP_TO: 'file:///backups' };
    expect(loadConfig({ ...env, BACKUP_EVERY_HOURS: '6' }).backups?.everyMs).toBe(21_600_000);
    expect(loadConfig({ ...env, BACKUP_EVERY_HOURS: '0.5' }).backups?.everyMs).toBe(1_800_000);
    for (const hours of ['0', '0.001', '8761', 'often']) {
      expect(problemsOf({ ...env, BACKUP_EVERY_HOURS: hours })).toEqual([
        'BACKUP_EVERY_HOURS must be a number from 0.01 to 8760',
      ]);
    }
  });

  test('an empty variable is one that is not set', () => {
    expect(problemsOf({ PORT: '', SIGN_UP: ' ', REDIS_URL: '' })).toEqual([]);
  });

  test('variables that belong together are asked for together', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://mail.example:25' })).toEqual([
      'MAIL_FROM is needed when SMTP_URL is set',
    ]);
    expect(problemsOf({ EVENTS_URL: 's3://bucket/prefix' })).toEqual([
      'S3_ACCESS_KEY_ID is needed when EVENTS_URL is an s3:// address, or S3_CREDENTIALS for a role',
    ]);
    expect(problemsOf({ DATABASE_DIRECT_URL: 'postgres://db.example/service' })).toEqual([
      'DATABASE_DIRECT_URL needs DATABASE_URL, of the pooler: set both, or neither',
    ]);
    expect(problemsOf({ EVENTS_ACK: 'bucket' })).toEqual([
      'EVENTS_ACK can be "bucket" only with an EVENTS_URL that is an s3:// address',
    ]);
  });

  test('the credentials of the bucket come from keys, or from the role that is said or found', () => {
    const role = (env: Record<string, string>) =>
      loadConfig({ EVENTS_URL: 's3://bucket', ...env }).events.s3.role?.kind ?? 'keys';
    const identity = {
      AWS_WEB_IDENTITY_TOKEN_FILE: '/token',
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/a',
    };
    const container = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/1' };
    expect(role({ S3_ACCESS_KEY_ID: 'key' })).toBe('keys');
    expect(role({ S3_ACCESS_KEY_ID: 'key', ...identity })).toBe('keys');
    expect(role({ S3_ACCESS_KEY_ID: 'key', ...identity, S3_CREDENTIALS: 'web-identity' })).toBe(
      'web-identity',
    );
    expect(role({ ...identity, ...container })).toBe('web-identity');
    expect(role(container)).toBe('container-role');
    expect(role({ S3_CREDENTIALS: 'instance-role' })).toBe('instance-role');
    expect(problemsOf({ S3_CREDENTIALS: 'web-identity' })).toEqual([
      'S3_CREDENTIALS needs AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN',
    ]);
    expect(problemsOf({ S3_CREDENTIALS: 'container-role' })).toEqual([
      'S3_CREDENTIALS needs AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI',
    ]);
  });

  test('reads lists, origins, roles and keys', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const config = loadConfig({
      ROLE: 'worker, query',
      CONSOLE_ORIGINS: 'https://a.example, http://localhost:4000',
      EGRESS_ALLOW: '127.0.0.1:9999',
      SECRETS_KEY: `${key},${key}`,
      DATA_DIR: '/var/lib/cp',
    });
    expect(config.roles).toEqual(['worker', 'query']);
    expect(config.consoleOrigins).toEqual(['https://a.example', 'http://localhost:4000']);
    expect(config.egressAllow).toEqual(['127.0.0.1:9999']);
    expect(config.secretsKeys).toHaveLength(2);
    expect(config.events.url).toBe('file:///var/lib/cp/events');
    expect(config.runDir).toBe('/var/lib/cp/run');
  });

  test('reads where large questions go, and gives a password to a host with TLS only', () => {
    const engineOf = (url: string, more = {}) =>
      loadConfig({ LAKE: 'on', LAKE_ENGINE_URL: url, ...more }).lake.engine;
    expect(loadConfig({ LAKE: 'on' }).lake.engine).toBeNull();
    expect(engineOf('trino://analytics@trino:8080/ice/berg')).toEqual({
      ...{ baseUrl: 'http://trino:8080', user: 'analytics', password: undefined },
      ...{ catalog: 'ice', schema: 'berg', minEvents: 50_000_000 },
    });
    const more = { LAKE_ENGINE_PASSWORD: 'secret', LAKE_ENGINE_MIN_EVENTS: '0' };
    expect(engineOf('trino+https://a%40b@trino', more)).toEqual({
      ...{ baseUrl: 'https://trino', user: 'a@b', password: 'secret' },
      ...{ catalog: 'lake', schema: 'main', minEvents: 0 },
    });
    for (const [url, env] of [
      ['trino://u:secret@trino:8080', { LAKE: 'on' }],
      ['trino://u@trino:8080/a/b/c', { LAKE: 'on' }],
      ['trino://u@trino:8080/a/b?x=1', { LAKE: 'on' }],
      ['trino://u@trino:8080', { LAKE: 'off' }],
      ['http://trino:8080', { LAKE: 'on' }],
      ['trino+https://u@trino', { LAKE: 'on', LAKE_ENGINE_PASSWORD: 'пароль' }],
    ] as const) {
      expect(problemsOf({ ...env, LAKE_ENGINE_URL: url })).toHaveLength(1);
    }
  });

  test('a deep data folder keeps its sockets where their path fits', () => {
    expect(loadConfig({ DATA_DIR: `/${'d'.repeat(120)}` }).runDir.length).toBeLessThan(81);
  });
});
