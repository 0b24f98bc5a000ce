import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { broken, examineHere } from '../../../src/admin/doctor/main.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import type { DoctorCheck } from '../../../src/modules/system/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/shared/time.ts';
import { preparePgbouncer } from '../../../scripts/test/pgbouncer.ts';
import { startSmtpSimulator } from '../../simulators/smtp/server.ts';
import { certify } from '../../support/certify.ts';
import { temporaryFolder } from '../../support/events.ts';
import { describeFull } from '../../support/left-out.ts';
import { testDatabase } from '../../support/postgres.ts';
import { testS3 } from '../../support/s3-server.ts';
import { ROOT } from '../../support/sources.ts';
import { testTemporal } from '../../support/temporal.ts';

type Env = Record<string, string>;
/** An address of this machine that is no loopback one. */
const OWN = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const closing: (() => unknown)[] = [];
// Before the databases are dropped.
afterAll(async () => {
  for (const close of closing) await close();
});

const s3 = await testS3();
const temporal = await testTemporal();
const database = await testDatabase();
const anywhere = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('?') });
const smtp = startSmtpSimulator();
closing.push(
  () => anywhere.stop(true),
  () => smtp.stop(),
);

const base: Env = {
  DATABASE_URL: database.url,
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: temporal.namespace,
  DATA_DIR: temporaryFolder('doctor'),
  PORT: String(await freePort()),
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
  SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  DISK_FLOOR_MB: '0',
  SMTP_URL: smtp.url,
  MAIL_FROM: 'service@example.com',
  ...(s3 && {
    EVENTS_URL: 's3://events-bucket/own',
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  }),
  ...Object.fromEntries(
    ['STORE_API_URL', 'STORE_SERVER_API_URL', 'PLAY_STORE_API_URL', 'GOOGLE_TOKEN_URL'].map(
      (name) => [name, anywhere.url.origin],
    ),
  ),
};

/** With this environment and no other. */
async function examine(env: Env, mail?: string): Promise<DoctorCheck[]> {
  const before = { ...process.env };
  Object.assign(process.env, base, env);
  try {
    return await examineHere(mail).catch(broken);
  } finally {
    for (const name of Object.keys({ ...base, ...env })) delete process.env[name];
    Object.assign(process.env, before);
  }
}

const wrong = (checks: readonly DoctorCheck[]) =>
  checks.filter(({ status }) => status === 'error' || status === 'warning');

const listen = (answer: (request: Request) => Response | Promise<Response>, options = {}) => {
  const server = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: answer, ...options });
  closing.push(() => server.stop(true));
  return `${server.url.protocol}//${OWN}:${server.port}`;
};

/** In front of the port of the service, as an operator's proxy. */
const proxy = (change: (headers: Headers) => void, prefix = '', tls = {}) =>
  listen(async (asked) => {
    const { pathname, search } = new URL(asked.url);
    const headers = new Headers(asked.headers);
    change(headers);
    const url = `http://127.0.0.1:${base.PORT}${prefix}${pathname}${search}`;
    return fetch(url, { headers }).catch(() => new Response(null, { status: 502 }));
  }, tls);

const append = (headers: Headers) =>
  headers.set('x-forwarded-for', `${headers.get('x-forwarded-for')}, 198.51.100.9`);

async function secondDatabase(change: string[], options = '', url = database.url): Promise<string> {
  const name = `doctor_${crypto.randomUUID().slice(0, 8)}`;
  await database.sql.unsafe(`CREATE DATABASE ${name} ${options}`);
  for (const one of change) await database.sql.unsafe(one.replaceAll('THIS', name));
  closing.push(() => database.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
  return url.replace(/\/[^/]*$/, `/${name}`);
}

const to = (path: string) => database.url.replace(/\/[^/]*$/, path);

async function role(): Promise<string> {
  const name = `doctor_${crypto.randomUUID().slice(0, 8)}`;
  await database.sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  closing.push(async () => {
    await database.sql.unsafe(`DROP OWNED BY ${name}`);
    await database.sql.unsafe(`DROP ROLE ${name}`);
  });
  // A pooler knows its own list of users only.
  const url = new URL(database.directUrl);
  url.username = name;
  url.password = 'x';
  return url.toString();
}

async function namespace(retentionDays: number): Promise<string> {
  const name = `doctor-${crypto.randomUUID()}`;
  await temporal.connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: retentionDays * 86_400, nanos: 0 },
  } as never);
  return name;
}

async function within(work: () => Promise<Env>, undo: () => Promise<unknown>): Promise<Env> {
  const env = await work();
  undoing = undo;
  return env;
}
let undoing: () => Promise<unknown> = async () => undefined;

const connected = (status: string, sealed: string) => database.sql`
  INSERT INTO store_connections (org_id, connection_id, issuer_id, key_id, vendor_number,
    sealed_key, status, connected_at, last_error)
  VALUES ('org_doctor', 'con_doctor', 'i', 'k', '1', ${sealed}, ${status}, now(),
    'The key lacks the role Finance.')`;
const disconnected = () => database.sql`DELETE FROM store_connections`;

async function clockFront(): Promise<string> {
  const server = createServer((incoming, response) => {
    const { hostname, port } = new URL(s3?.endpoint ?? '');
    const { method, url, headers } = incoming;
    const asked = request({ hostname, port, method, path: url, headers }, (answer) => {
      const date = new Date(Date.now() - 10 * MINUTE_MS).toUTCString();
      response.sendDate = false;
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, date });
      answer.pipe(response);
    });
    incoming.pipe(asked);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

type Planted = {
  what: string;
  plant: () => Promise<Env> | Env;
  name: string;
  found: RegExp;
  cure: RegExp;
  status?: 'warning';
  mail?: string;
  needs?: unknown;
};

const PLANTED: readonly Planted[] = [
  {
    what: 'a port that is no number',
    plant: () => ({ PORT: 'abc' }),
    ...{ name: 'settings', found: /^PORT must be/, cure: /configuration\.md/ },
  },
  {
    what: 'mail without a sender',
    plant: () => ({ MAIL_FROM: '' }),
    ...{ name: 'settings', found: /^MAIL_FROM is needed/, cure: /configuration\.md/ },
  },
  {
    what: 'a key of the wrong length',
    plant: () => ({ SECRETS_KEY: 'c2hvcnQ=' }),
    ...{ name: 'settings', found: /^SECRETS_KEY must hold 32 bytes/, cure: /configuration\.md/ },
  },
  {
    what: 'a certificate of Temporal that is not there',
    plant: () => ({ TEMPORAL_TLS_CA: '/nowhere/ca.pem' }),
    ...{ name: 'settings', found: /\/nowhere\/ca\.pem/, cure: /configuration\.md/ },
  },
  {
    what: 'no secret for cookies',
    plant: () => ({ AUTH_SECRET: '' }),
    ...{ name: 'secrets-set', found: /AUTH_SECRET/, cure: /openssl rand/ },
  },
  {
    what: 'no key for stored secrets',
    plant: () => ({ SECRETS_KEY: '' }),
    ...{ name: 'secrets-set', found: /SECRETS_KEY/, cure: /openssl rand/ },
  },
  {
    what: 'a port that is taken',
    plant: () => ({ PORT: String(anywhere.port) }),
    ...{ name: 'ports', found: /^PORT \d+ on 127\.0\.0\.1 is taken/, cure: /another port/ },
  },
  {
    what: 'one port for two',
    plant: () => ({ INTAKE_PORT: base.PORT ?? '' }),
    ...{ name: 'ports', found: /INTAKE_PORT \d+ is set twice/, cure: /another port/ },
  },
  {
    what: 'a folder that cannot be written',
    plant: () => ({ DATA_DIR: '/etc/passwd/data' }),
    ...{ name: 'settings', found: /^DATA_DIR: .* cannot be written.*chown/, cure: /docs/ },
  },
  {
    what: 'a folder in memory',
    plant: () => ({ DATA_DIR: '/dev/shm/doctor' }),
    ...{ name: 'data-lasts', found: /in memory/, cure: /volume/, status: 'warning' },
  },
  {
    what: 'a full disk',
    plant: () => ({ DISK_FLOOR_MB: '1000000' }),
    ...{ name: 'disk', found: /MB are free/, cure: /Free space/ },
  },
  {
    what: 'a name without an address',
    plant: () => ({ REDIS_URL: 'redis://nowhere.invalid' }),
    ...{ name: 'names', found: /REDIS_URL: the name nowhere\.invalid/, cure: /DNS/ },
  },
  {
    what: 'a certificate that ended',
    plant: async () => ({ PUBLIC_URL: proxy(append, '', { tls: await ended(-2) }) }),
    ...{ name: 'certificates', found: /PUBLIC_URL .* ended on/, cure: /Renew/, needs: OWN },
  },
  {
    what: 'a certificate that ends in days',
    plant: async () => ({ PUBLIC_URL: proxy(append, '', { tls: await ended(5) }) }),
    ...{ name: 'certificates', found: /in [45] days/, cure: /Renew/, status: 'warning' },
    needs: OWN,
  },
  {
    what: 'a certificate of nobody',
    plant: async () => ({ PUBLIC_URL: proxy(append, '', { tls: await ended(90) }) }),
    ...{ name: 'certificates', found: /is refused: /, cure: /authority/, needs: OWN },
  },
  {
    what: 'a console of another site',
    plant: () => ({
      PUBLIC_URL: 'https://api.example.com',
      CONSOLE_ORIGINS: 'https://console.example.org',
    }),
    ...{ name: 'cookies', found: /browsers send no cookie/, cure: /names of one site/ },
  },
  {
    what: 'no TLS for others',
    plant: () => ({ PUBLIC_URL: 'http://app.invalid' }),
    ...{ name: 'cookies', found: /PUBLIC_URL is http/, cure: /by https/, status: 'warning' },
  },
  {
    what: 'a public address of another service',
    plant: () => ({ PUBLIC_URL: listen(() => new Response('Hello')) }),
    ...{ name: 'public-address', found: /leads elsewhere/, cure: /HOST and PORT/, needs: OWN },
  },
  {
    what: 'a proxy that adds to the path',
    plant: () => ({ PUBLIC_URL: proxy(append, '/api'), TRUST_PROXY: '1' }),
    ...{ name: 'public-address', found: /another path: it answers 404/, cure: /whole path/ },
    needs: OWN,
  },
  {
    what: 'a proxy that nobody counts',
    plant: () => ({ PUBLIC_URL: proxy(append) }),
    ...{ name: 'public-address', found: /TRUST_PROXY is 0/, cure: /TRUST_PROXY=1/, needs: OWN },
  },
  {
    what: 'a proxy too many',
    plant: () => ({ PUBLIC_URL: proxy(append), TRUST_PROXY: '2' }),
    ...{ name: 'public-address', found: /1 proxies .* is 2/, cure: /TRUST_PROXY=1/, needs: OWN },
  },
  {
    what: 'a proxy that passes no cookie',
    plant: () => ({
      PUBLIC_URL: proxy((headers) => {
        append(headers);
        headers.delete('cookie');
      }),
      TRUST_PROXY: '1',
    }),
    ...{ name: 'public-address', found: /A cookie did not arrive/, cure: /Cookie/, needs: OWN },
  },
  {
    what: 'a public address that leads on',
    plant: () => ({ PUBLIC_URL: listen(() => Response.redirect('https://app.invalid/')) }),
    ...{ name: 'public-address', found: /redirects to https/, cure: /PUBLIC_URL/, needs: OWN },
  },
  {
    what: 'no backups for others',
    plant: () => ({ PUBLIC_URL: 'https://app.invalid' }),
    ...{ name: 'backups-set', found: /BACKUP_TO is not set/, cure: /BACKUP_TO/, status: 'warning' },
  },
  {
    what: 'a mail server that is away',
    plant: () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
    ...{ name: 'mail', found: /ECONNREFUSED|refused|connect/i, cure: /SMTP_URL/ },
  },
  {
    what: 'a mail server that refuses the mail',
    plant: () => {
      const refusing = startSmtpSimulator();
      refusing.refuse();
      closing.push(() => refusing.stop());
      return { SMTP_URL: refusing.url };
    },
    ...{ name: 'mail', found: /554/, cure: /MAIL_FROM/, mail: 'operator@example.com' },
  },
  {
    what: 'a bucket that is not there',
    plant: () => ({ EVENTS_URL: 's3://no-bucket/own' }),
    ...{ name: 'events-place', found: /NoSuchBucket/, cure: /Make the bucket/, needs: s3 },
  },
  {
    what: 'a wrong secret of the bucket',
    plant: () => ({ S3_SECRET_ACCESS_KEY: 'another-secret' }),
    ...{ name: 'events-place', found: /SignatureDoesNotMatch/, cure: /S3_SECRET_ACCESS_KEY/ },
    needs: s3,
  },
  {
    what: 'a bucket that is away',
    plant: () => ({ S3_ENDPOINT: 'http://127.0.0.1:1' }),
    ...{ name: 'events-place', found: /127\.0\.0\.1:1/, cure: /S3_ENDPOINT/, needs: s3 },
  },
  {
    what: 'a bucket whose clock differs',
    plant: async () => ({ S3_ENDPOINT: await clockFront() }),
    ...{ name: 'events-place', found: /\d+ s ahead of the bucket's/, cure: /NTP/, needs: s3 },
  },
  {
    what: 'files of another installation',
    plant: async () => {
      const marker = { installation: 'another', claimedAt: '2026-01-01T00:00:00.000Z' };
      await s3?.client.write('other/_installation.json', JSON.stringify(marker));
      return { EVENTS_URL: 's3://events-bucket/other' };
    },
    ...{ name: 'events-owner', found: /belong to installation another/, cure: /EVENTS_URL/ },
    needs: s3,
  },
  {
    what: 'backups where nothing can be written',
    plant: () => ({ BACKUP_TO: 'file:///etc/passwd/backups' }),
    ...{ name: 'backup-place', found: /cannot be written/, cure: /Correct the address/ },
  },
  {
    what: 'backups that stopped',
    plant: () =>
      within(
        async () => {
          await database.sql`
            INSERT INTO backups (backup_id, place, state, began_at, ended_at, bytes)
            VALUES ('bkp_doctor', 'file:///tmp', 'good', now() - interval '9 days', now(), 1)`;
          return { BACKUP_TO: 'file:///tmp' };
        },
        () => database.sql`DELETE FROM backups`,
      ),
    ...{ name: 'status-backups', found: /The last good backup is of/, cure: /make one now/ },
  },
  {
    what: 'PostgreSQL that is away',
    plant: () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }),
    ...{ name: 'postgres', found: /cannot be reached/, cure: /DATABASE_URL/ },
  },
  {
    what: 'a database that is not there',
    plant: () => ({ DATABASE_URL: to('/nowhere') }),
    ...{ name: 'postgres', found: /Create the database/, cure: /DATABASE_URL/ },
  },
  {
    what: 'a direct address of another database',
    plant: async () => ({ DATABASE_DIRECT_URL: await secondDatabase([], '', database.directUrl) }),
    ...{ name: 'postgres-direct', found: /different databases/, cure: /or leave it out/ },
  },
  {
    what: 'a direct address that is away',
    plant: () => ({ DATABASE_DIRECT_URL: 'postgres://x:y@127.0.0.1:1/z' }),
    ...{ name: 'postgres-direct', found: /\(DATABASE_DIRECT_URL, .* cannot be reached/ },
    cure: /or leave it out/,
  },
  {
    what: 'a standby',
    plant: async () => ({
      DATABASE_URL: await secondDatabase([
        'ALTER DATABASE THIS SET default_transaction_read_only = on',
      ]),
    }),
    ...{ name: 'postgres', found: /takes no writes/, cure: /DATABASE_URL/ },
  },
  {
    what: 'a database that holds bytes',
    plant: async () => ({
      DATABASE_URL: await secondDatabase([], "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"),
    }),
    ...{ name: 'postgres-settings', found: /SQL_ASCII/, cure: /ENCODING 'UTF8'/ },
  },
  {
    what: 'a system that sorts otherwise now',
    plant: async () => ({
      DATABASE_URL: await secondDatabase(
        ["UPDATE pg_database SET datcollversion = '0.1' WHERE datname = 'THIS'"],
        "LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0",
      ),
    }),
    ...{ name: 'postgres-settings', found: /collation changed/, cure: /REINDEX DATABASE/ },
  },
  {
    what: 'a role that owns nothing',
    plant: async () => ({ DATABASE_URL: await role() }),
    ...{ name: 'postgres-settings', found: /tables belong to another role/, cure: /REASSIGN/ },
  },
  {
    what: 'a role that may create nothing',
    plant: async () => ({ DATABASE_URL: await role() }),
    ...{ name: 'postgres-settings', found: /may not create tables/, cure: /OWNER TO/ },
  },
  {
    what: 'a limit of connections',
    plant: async () => ({
      DATABASE_URL: await secondDatabase(['ALTER DATABASE THIS CONNECTION LIMIT 12']),
    }),
    ...{ name: 'postgres-settings', found: /allows 12 connections/, cure: /max_connections/ },
  },
  {
    what: 'commits that may be lost',
    plant: async () => ({
      DATABASE_URL: await secondDatabase(['ALTER DATABASE THIS SET synchronous_commit = off']),
    }),
    ...{ name: 'postgres-settings', found: /a power cut loses/, cure: /synchronous_commit/ },
  },
  {
    what: 'data of a newer release',
    plant: () =>
      within(
        async () => {
          await database.sql`UPDATE installation SET min_release = 99`;
          return {};
        },
        () => database.sql`UPDATE installation SET min_release = 1`,
      ),
    ...{ name: 'schema', found: /needs generation 99/, cure: /Start the release/ },
  },
  {
    what: 'Temporal that is away',
    plant: () => ({ TEMPORAL_ADDRESS: '127.0.0.1:1' }),
    ...{ name: 'temporal', found: /./, cure: /TEMPORAL_ADDRESS/ },
  },
  {
    what: 'a namespace that is not there',
    plant: () => ({ TEMPORAL_NAMESPACE: 'nowhere' }),
    ...{ name: 'temporal', found: /nowhere/, cure: /temporal operator namespace create/ },
  },
  {
    what: 'a namespace without search attributes',
    plant: async () => ({ TEMPORAL_NAMESPACE: await namespace(3) }),
    ...{ name: 'temporal', found: /no search attributes/, cure: /search-attribute create/ },
    status: 'warning',
  },
  {
    what: 'secrets of another key',
    plant: () =>
      within(async () => {
        await connected('connected', 'v1.another.x');
        return {};
      }, disconnected),
    ...{ name: 'status-secrets', found: /cannot be opened/, cure: /SECRETS_KEY/ },
  },
  {
    what: 'a key of the store without a role',
    plant: () =>
      within(async () => {
        await connected('invalid', 'v1.another.x');
        return {};
      }, disconnected),
    ...{ name: 'store-keys', found: /lacks the role Finance/, cure: /page Store/ },
    status: 'warning',
  },
  {
    what: 'a store that is away, with a connected key',
    plant: () =>
      within(async () => {
        await connected('connected', 'v1.another.x');
        return { STORE_API_URL: 'http://127.0.0.1:1' };
      }, disconnected),
    ...{ name: 'stores', found: /127\.0\.0\.1:1 cannot be reached/, cure: /port 443/ },
  },
  {
    what: 'a store that is away, without a key',
    plant: () => ({ PLAY_STORE_API_URL: 'http://127.0.0.1:1' }),
    ...{ name: 'stores', found: /127\.0\.0\.1:1 cannot be reached/, cure: /port 443/ },
    ...{ status: 'warning' },
  },
  {
    what: 'a misspelt variable',
    plant: () => ({ SMPT_URL: 'smtp://mail.example.com' }),
    ...{ name: 'setting-names', found: /^SMPT_URL is no setting; SMTP_URL is/, cure: /Rename/ },
    status: 'warning',
  },
  {
    what: 'a sender that is no address',
    plant: () => ({ MAIL_FROM: 'the control plane' }),
    ...{ name: 'settings', found: /^MAIL_FROM must be an address/, cure: /configuration\.md/ },
  },
  {
    what: 'an address of another machine',
    plant: () => ({ HOST: '192.0.2.1' }),
    ...{ name: 'ports', found: /^HOST 192\.0\.2\.1 is no address of this machine/, cure: /HOST/ },
  },
  {
    what: 'a worker without queries',
    plant: () => ({ ROLE: 'worker' }),
    ...{ name: 'roles', found: /^ROLE has no query, and no query process/, cure: /share DATA_DIR/ },
    status: 'warning',
  },
  {
    what: 'more memory than there is',
    plant: () => ({ QUERY_PROCESSES: '4', QUERY_MEMORY_MB: '900000' }),
    ...{ name: 'memory', found: /^Query processes may take 3600000 MB/, cure: /QUERY_MEMORY_MB/ },
    status: 'warning',
  },
  {
    what: 'a table of countries that is not there',
    plant: () => ({ COUNTRY_TABLE: '/nowhere/countries.mmdb' }),
    ...{ name: 'country-table', found: /^COUNTRY_TABLE cannot be read/, cure: /MaxMind/ },
  },
  {
    what: 'a table of countries that is none',
    plant: () => ({ COUNTRY_TABLE: join(ROOT, 'package.json') }),
    ...{ name: 'country-table', found: /^COUNTRY_TABLE cannot be read/, cure: /MaxMind/ },
  },
  {
    what: 'Redis that is away',
    plant: () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
    ...{ name: 'redis', found: /^Redis \(REDIS_URL, 127\.0\.0\.1:1\)/, cure: /rate limits/ },
    status: 'warning',
  },
  {
    what: 'another service in the place of Redis',
    plant: () => ({ REDIS_URL: `redis://127.0.0.1:${anywhere.port}` }),
    ...{ name: 'redis', found: /^Redis \(REDIS_URL/, cure: /rate limits/, status: 'warning' },
  },
  {
    what: 'a service of backends that is away',
    plant: () => ({ BACKEND_API_URL: 'http://127.0.0.1:1' }),
    ...{ name: 'services', found: /^BACKEND_API_URL: 127\.0\.0\.1:1 cannot be reached/ },
    cure: /firewall/,
    status: 'warning',
  },
  {
    what: 'traces that nobody takes',
    plant: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
    ...{ name: 'services', found: /^OTEL_EXPORTER_OTLP_ENDPOINT: 127\.0/, cure: /firewall/ },
    status: 'warning',
  },
  {
    what: 'a file of rates that is not there',
    plant: () => ({ FX_RATES_URL: 'file:///nowhere/rates.csv' }),
    ...{ name: 'services', found: /^FX_RATES_URL: .*nowhere\/rates\.csv/, cure: /firewall/ },
    status: 'warning',
  },
  {
    what: 'backups beside the data',
    plant: () => ({ BACKUP_TO: `file://${base.DATA_DIR}/backups` }),
    ...{ name: 'backup-apart', found: /BACKUP_TO lies in DATA_DIR/, cure: /another disk/ },
    status: 'warning',
  },
  {
    what: 'backups among the event files',
    plant: () => ({ BACKUP_TO: `${base.EVENTS_URL}/backups` }),
    ...{ name: 'backup-apart', found: /BACKUP_TO lies in EVENTS_URL/, cure: /another disk/ },
    ...{ status: 'warning', needs: s3 },
  },
  {
    what: 'a key that the bucket does not know',
    plant: () => ({ S3_ACCESS_KEY_ID: 'nobody' }),
    ...{ name: 'events-place', found: /nobody|access key/i, cure: /S3_ACCESS_KEY_ID/, needs: s3 },
  },
  {
    what: 'another service in the place of PostgreSQL',
    plant: () => ({ DATABASE_URL: `postgres://me:x@127.0.0.1:${anywhere.port}/none` }),
    ...{ name: 'postgres', found: /cannot be reached/, cure: /DATABASE_URL/ },
  },
  {
    what: 'a password that is wrong',
    plant: () => {
      const url = new URL(database.directUrl);
      url.password = 'another';
      return { DATABASE_URL: url.toString() };
    },
    ...{ name: 'postgres', found: /Check user and password/, cure: /DATABASE_URL/ },
  },
  {
    what: 'TLS with a Temporal that has none',
    plant: () => ({ TEMPORAL_API_KEY: 'a-key-of-the-cloud' }),
    ...{
      name: 'temporal',
      found: /^Temporal \(TEMPORAL_ADDRESS, .* did not answer/,
      cure: /_TLS_/,
    },
  },
];

async function ended(days: number) {
  return certify(OWN ?? '', new Date(Date.now() + days * DAY_MS));
}

let before: DoctorCheck[] = [];
beforeAll(async () => {
  before = await examine({});
});

/** Servers without fsync, and folders in memory. */
const ofTheTests = ({ name, found }: DoctorCheck) =>
  found?.startsWith('fsync,') === true || name === 'data-lasts';

test('an address of the console under another name of the site is not named', async () => {
  const env = {
    PUBLIC_URL: 'https://api.example.co.uk',
    CONSOLE_ORIGINS: 'https://console.example.co.uk,https://console.example.com.au',
  };
  const found = wrong(await examine(env)).flatMap((one) =>
    one.name === 'cookies' ? one.found : [],
  );
  expect(found).toEqual([
    'CONSOLE_ORIGINS: https://console.example.com.au is another site than https://api.example.co.uk: browsers send no cookie from it.',
  ]);
});

test('what is sound is not named', () => {
  expect(wrong(before).filter((check) => !ofTheTests(check))).toEqual([]);
  const skipped = before.filter(({ status }) => status === 'skipped').map(({ name }) => name);
  expect(skipped).not.toContain('events-place');
  expect(before.length).toBeGreaterThan(30);
});

describe('a planted misconfiguration is named with its cure', () => {
  for (const planted of PLANTED) {
    const { what, plant, name, found, cure, status = 'error', mail, needs = true } = planted;
    test.skipIf(!needs)(what, async () => {
      undoing = async () => undefined;
      const env = await plant();
      const checks = await examine(env, mail).finally(() => undoing());
      expect(wrong(checks)).toContainEqual(
        expect.objectContaining({
          ...{ name, status },
          found: expect.stringMatching(found),
          cure: expect.stringMatching(cure),
        }),
      );
    });
  }
});

const pgbouncer = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });
describeFull(pgbouncer !== null, 'no pgbouncer')('doctor before a pooler', () => {
  test('names one that DATABASE_POOLER denies, with its cure, and nothing else', async () => {
    const { url, start } = await preparePgbouncer(temporaryFolder('pooler'), database.url);
    const pooler = await start();
    closing.push(() => pooler.stop(5_000));
    const sound = await examine({ DATABASE_URL: url });
    expect(wrong(sound).filter((check) => !ofTheTests(check))).toEqual([]);
    expect(sound).toContainEqual(expect.objectContaining({ name: 'schema', status: 'good' }));
    expect(wrong(await examine({ DATABASE_URL: url, DATABASE_POOLER: 'none' }))).toContainEqual(
      expect.objectContaining({
        name: 'postgres',
        found: expect.stringContaining('set it to transaction'),
      }),
    );
    expect(wrong(await examine({ DATABASE_URL: url, DATABASE_DIRECT_URL: url }))).toContainEqual(
      expect.objectContaining({ name: 'postgres-direct' }),
    );
    const nowhere = { DATABASE_URL: url.replace(/\/[^/]*$/, '/nowhere') };
    expect(wrong(await examine(nowhere))).toContainEqual(
      expect.objectContaining({
        name: 'postgres',
        found: expect.stringContaining('Create the database'),
      }),
    );
  });
});

describeFull(true, '')('doctor as a program', () => {
  const run = async (words: string[], env: Env = {}) => {
    const child = Bun.spawn(
      [...words, process.execPath, join(ROOT, 'scripts/doctor.ts'), '--json'],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...base, ...env },
        stderr: 'inherit',
      },
    );
    const text = await new Response(child.stdout).text();
    const { checks }: { checks: DoctorCheck[] } = JSON.parse(text);
    return { code: await child.exited, checks };
  };

  test.skipIf(!Bun.which('prlimit'))('few open files are named', async () => {
    const { code, checks } = await run(['prlimit', '--nofile=512:512']);
    expect(code).toBe(1);
    expect(wrong(checks)).toContainEqual(
      expect.objectContaining({ name: 'open-files', cure: expect.stringContaining('LimitNOFILE') }),
    );
  });

  test.skipIf(!Bun.which('faketime'))('a wrong clock is named', async () => {
    const { checks } = await run(['faketime', '-f', '+10m']);
    expect(wrong(checks)).toContainEqual(
      expect.objectContaining({ name: 'status-clock', cure: expect.stringContaining('NTP') }),
    );
  });
});
