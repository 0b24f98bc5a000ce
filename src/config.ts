import { cpus, homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, type Env, EnvReader } from './shared/env.ts';
import { GOOGLE_URLS } from './shared/google-addresses.ts';
import { readLakeEngine } from './shared/lake-engine.ts';
import { machineMemoryMb } from './shared/machine-memory.ts';
import { HOUR_MS } from './shared/time.ts';

const PROCESS_ROLES = ['api', 'compactor', 'worker', 'query'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** `main`: workflows and short activities; `files`: long ones on event files. */
const WORKER_QUEUES = ['main', 'files'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

const APPLE_CONNECT_URL = 'https://api.appstoreconnect.apple.com';
const APPLE_SERVER_URL = 'https://api.storekit.apple.com';
const APPLE_SERVER_SANDBOX_URL = 'https://api.storekit-sandbox.apple.com';
export const ECB_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';

function readServer(env: EnvReader) {
  return {
    host: env.text('HOST') ?? '127.0.0.1',
    port: env.integer('PORT', 0, 65_535) ?? 3000,
    intakePort: env.integer('INTAKE_PORT', 1, 65_535),
    publicUrl: env.url('PUBLIC_URL', ['http:', 'https:']),
    console: (env.oneOf('CONSOLE', ['on', 'off']) ?? 'on') === 'on',
    consoleOrigins: env.origins('CONSOLE_ORIGINS'),
    countryTable: env.text('COUNTRY_TABLE'),
    trustProxy: env.integer('TRUST_PROXY', 0, 10) ?? 0,
    rateLimitScale: env.positiveNumber('RATE_LIMIT_SCALE') ?? 1,
    redisUrl: env.url('REDIS_URL', ['redis:', 'rediss:']),
    cronSecret: env.secret('CRON_SECRET', 16),
    metricsToken: env.secret('METRICS_TOKEN', 16),
    metricsPort: env.integer('METRICS_PORT', 1, 65_535),
    signUp: env.oneOf('SIGN_UP', ['invite', 'open', 'closed']) ?? 'invite',
  };
}

function readTemporal(env: EnvReader) {
  return {
    address: env.hostPort('TEMPORAL_ADDRESS'),
    namespace: env.text('TEMPORAL_NAMESPACE') ?? 'default',
    uiPort: env.integer('TEMPORAL_UI_PORT', 1, 65_535),
    /** Shown to every member. The UI knows no tenants, so unset by default. */
    uiUrl: env.url('TEMPORAL_UI_URL', ['http:', 'https:']),
    cliPath: env.text('TEMPORAL_CLI_PATH'),
    cliDownloadUrl: env.url('TEMPORAL_CLI_DOWNLOAD_URL', ['http:', 'https:']),
    cliSha256: env.text('TEMPORAL_CLI_SHA256'),
    searchPath: env.text('PATH') ?? '',
    cacheDir: join(env.text('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'mobile-control-plane'),
    apiKey: env.text('TEMPORAL_API_KEY'),
    tlsCertPath: env.text('TEMPORAL_TLS_CERT'),
    tlsKeyPath: env.text('TEMPORAL_TLS_KEY'),
    tlsCaPath: env.text('TEMPORAL_TLS_CA'),
    tlsServerName: env.text('TEMPORAL_TLS_SERVER_NAME'),
    /** Port of the UI's remote codec; set by the supervisor. */
    codecPort: env.integer('TEMPORAL_CODEC_PORT', 0, 65_535) ?? 0,
    /** First path segment of that endpoint; made by the supervisor for the embedded UI. */
    codecToken: env.secret('TEMPORAL_CODEC_TOKEN', 16),
    payloads: env.oneOf('TEMPORAL_PAYLOADS', ['plain', 'encrypted']) ?? 'plain',
  };
}

/** AWS container variables; null with keys. */
function readRole(env: EnvReader) {
  const sources = ['keys', 'instance-role', 'container-role', 'web-identity'] as const;
  const chosen = env.oneOf('S3_CREDENTIALS', sources);
  const webIdentity = {
    kind: 'web-identity' as const,
    tokenFile: env.text('AWS_WEB_IDENTITY_TOKEN_FILE') ?? '',
    roleArn: env.text('AWS_ROLE_ARN') ?? '',
    sessionName: env.text('AWS_ROLE_SESSION_NAME') ?? 'control-plane',
    region: env.text('S3_REGION') ?? 'us-east-1',
    endpoint: env.url('AWS_ENDPOINT_URL_STS', ['http:', 'https:']),
  };
  const container = {
    kind: 'container-role' as const,
    relativeUri: env.text('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'),
    fullUri: env.text('AWS_CONTAINER_CREDENTIALS_FULL_URI'),
    token: env.text('AWS_CONTAINER_AUTHORIZATION_TOKEN'),
    tokenFile: env.text('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'),
  };
  const hasWebIdentity = webIdentity.tokenFile !== '' && webIdentity.roleArn !== '';
  const hasContainer = (container.relativeUri ?? container.fullUri) !== undefined;
  if (chosen === 'web-identity' && !hasWebIdentity) {
    env.problem('S3_CREDENTIALS', 'needs AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN');
  }
  if (chosen === 'container-role' && !hasContainer) {
    env.problem('S3_CREDENTIALS', 'needs AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI');
  }
  if (chosen === 'keys' || (chosen === undefined && env.text('S3_ACCESS_KEY_ID'))) return null;
  if (chosen === 'instance-role') return { kind: chosen } as const;
  if (chosen === 'web-identity' || (chosen === undefined && hasWebIdentity)) return webIdentity;
  return chosen === 'container-role' || hasContainer ? container : null;
}

function readEvents(env: EnvReader, dataDir: string) {
  return {
    url: env.url('EVENTS_URL', ['file:', 's3:']) ?? `file://${join(dataDir, 'events')}`,
    /** Durability behind a 202: this host's disk or the bucket. */
    ack: env.oneOf('EVENTS_ACK', ['disk', 'bucket']) ?? 'disk',
    /** Always on the local disk, since a 202 means durable. */
    logDir: join(dataDir, 'log'),
    s3: {
      endpoint: env.url('S3_ENDPOINT', ['http:', 'https:']),
      region: env.text('S3_REGION') ?? 'us-east-1',
      accessKeyId: env.text('S3_ACCESS_KEY_ID'),
      secretAccessKey: env.text('S3_SECRET_ACCESS_KEY'),
      sessionToken: env.text('S3_SESSION_TOKEN'),
      role: readRole(env),
    },
    cacheGb: env.positiveNumber('EVENTS_CACHE_GB') ?? 20,
    /** Columns of properties that are asked for; 0: none. */
    columnBytes: (env.integer('EVENTS_COLUMNS_MB', 0, 10_000_000) ?? 4_096) * 1024 * 1024,
    diskFloorMb: env.integer('DISK_FLOOR_MB', 0, 1_000_000) ?? 512,
    maintenanceJobs: env.integer('MAINTENANCE_JOBS', 1, 32) ?? Math.min(2, cpus().length),
  };
}

function readProviders(env: EnvReader) {
  const http = ['http:', 'https:'];
  return {
    storeApiUrl: env.url('STORE_API_URL', http) ?? APPLE_CONNECT_URL,
    storeServerApiUrl: env.url('STORE_SERVER_API_URL', http) ?? APPLE_SERVER_URL,
    storeServerSandboxApiUrl:
      env.url('STORE_SERVER_SANDBOX_API_URL', http) ?? APPLE_SERVER_SANDBOX_URL,
    playStoreApiUrl: env.url('PLAY_STORE_API_URL', http) ?? GOOGLE_URLS.play,
    googleStorageUrl: env.url('GOOGLE_STORAGE_URL', http) ?? GOOGLE_URLS.storage,
    googleTokenUrl: env.url('GOOGLE_TOKEN_URL', http) ?? GOOGLE_URLS.token,
    googleCertsUrl: env.url('GOOGLE_CERTS_URL', http) ?? GOOGLE_URLS.certs,
    storeRootCertificates: env.list('STORE_ROOT_CERTIFICATES'),
    publisherApiUrl: env.url('PUBLISHER_API_URL', http),
    publisherApiKey: env.text('PUBLISHER_API_KEY'),
    backendApiUrl: env.url('BACKEND_API_URL', http),
    backendApiToken: env.text('BACKEND_API_TOKEN'),
    backendOrganization: env.text('BACKEND_ORGANIZATION'),
    fxRatesUrl: env.url('FX_RATES_URL', [...http, 'file:']) ?? ECB_RATES_URL,
    smtpUrl: env.url('SMTP_URL', ['smtp:', 'smtps:']),
    /** `optional`: unencrypted where the server offers no TLS. */
    smtpTls: env.oneOf('SMTP_TLS', ['required', 'optional']) ?? 'required',
    mailFrom: env.mailbox('MAIL_FROM'),
    egressAllow: env.hostPorts('EGRESS_ALLOW'),
  };
}

function readQuery(env: EnvReader) {
  const quarterOfMemoryMb = Math.max(256, Math.floor(machineMemoryMb() / 4));
  return {
    processes: env.integer('QUERY_PROCESSES', 1, 64) ?? 1,
    memoryMb: env.integer('QUERY_MEMORY_MB', 64, 4_000_000) ?? quarterOfMemoryMb,
    timeoutSeconds: env.positiveNumber('QUERY_TIMEOUT_SECONDS') ?? 25,
    threads: Math.max(1, cpus().length),
  };
}

function readLake(env: EnvReader) {
  const isOn = (env.oneOf('LAKE', ['on', 'off']) ?? 'off') === 'on';
  return {
    isOn,
    /** For large queries. */
    engine: readLakeEngine(env, isOn),
    /** Its tables span organizations. */
    token: env.secret('LAKE_TOKEN', 16),
  };
}

function readBackups(env: EnvReader) {
  const to = env.url('BACKUP_TO', ['file:', 's3:']);
  const everyMs = (env.number('BACKUP_EVERY_HOURS', 0.01, 8_760) ?? 24) * HOUR_MS;
  const keep = env.integer('BACKUP_KEEP', 1, 1_000) ?? 7;
  return to === undefined ? null : { to, everyMs, keep };
}

function readLog(env: EnvReader) {
  return {
    level: env.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) ?? 'info',
    format:
      env.oneOf('LOG_FORMAT', ['pretty', 'json']) ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    otlpEndpoint: env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
  };
}

/** Socket paths are limited to about 100 bytes. */
function socketDir(dataDir: string): string {
  const inside = join(dataDir, 'run');
  if (inside.length <= 80) return inside;
  return join(tmpdir(), `mcp-${Bun.hash(dataDir).toString(36)}`);
}

export const operatorFormat = (source: Env = Bun.env) =>
  source.LOG_FORMAT === 'json' ? 'json' : 'pretty';

const OF_THE_PROCESS = new Set([
  'DATA_DIR',
  'HOST',
  'INTAKE_PORT',
  'LOG_FORMAT',
  'LOG_LEVEL',
  'METRICS_PORT',
  'PORT',
  'ROLE',
]);

function readFrom(source: Env) {
  const env = new EnvReader(source);
  return { env, config: readAll(env) };
}

export const givenSettings = (source: Env = Bun.env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readFrom(source).env.given).filter(([name]) => !OF_THE_PROCESS.has(name)),
  );

export const misspeltSettings = (): string[] => readFrom(Bun.env).env.misspelt();

/** Throws `ConfigError` naming every wrong variable. */
export function loadConfig(source: Env = Bun.env) {
  const { env, config } = readFrom(source);
  if (env.problems.length > 0) throw new ConfigError(env.problems);
  return config;
}

export const loadPlace = (): Pick<Config, 'dataDir' | 'databaseUrl'> => readFrom(Bun.env).config;

function readAll(env: EnvReader) {
  const dataDir = resolve(env.text('DATA_DIR') ?? '.data');
  const databaseUrl = env.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const config = {
    ...readServer(env),
    dataDir,
    runDir: socketDir(dataDir),
    databaseUrl,
    databasePooler: env.oneOf('DATABASE_POOLER', ['none', 'transaction']),
    databaseDirectUrl: env.url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    roles: env.someOf('ROLE', PROCESS_ROLES) ?? PROCESS_ROLES,
    workerQueues: env.someOf('WORKER_QUEUES', WORKER_QUEUES) ?? WORKER_QUEUES,
    /** `none`: preview runners read whatever the service can. */
    previewIsolation: env.oneOf('PREVIEW_ISOLATION', ['required', 'none']) ?? 'required',
    authSecret: env.secret('AUTH_SECRET', 32),
    /** The first encrypts, all decrypt; empty disables secret storage. */
    secretsKeys: env.keys('SECRETS_KEY', 32),
    temporal: readTemporal(env),
    events: readEvents(env, dataDir),
    query: readQuery(env),
    backups: readBackups(env),
    lake: readLake(env),
    log: readLog(env),
    ...readProviders(env),
  };
  if (config.mailFrom === undefined && config.smtpUrl !== undefined) {
    env.problem('MAIL_FROM', 'is needed when SMTP_URL is set');
  }
  if (databaseUrl === undefined && config.databaseDirectUrl !== undefined) {
    env.problem('DATABASE_DIRECT_URL', 'needs DATABASE_URL, of the pooler: set both, or neither');
  }
  const { url, s3, ack } = config.events;
  const isBucket = url.startsWith('s3:');
  const bucketOf = isBucket ? 'EVENTS_URL' : 'BACKUP_TO';
  const needsBucket = isBucket || config.backups?.to.startsWith('s3:') === true;
  if (needsBucket && s3.accessKeyId === undefined && s3.role === null) {
    env.problem(
      'S3_ACCESS_KEY_ID',
      `is needed when ${bucketOf} is an s3:// address, or S3_CREDENTIALS for a role`,
    );
  }
  if (ack === 'bucket' && !isBucket) {
    env.problem('EVENTS_ACK', 'can be "bucket" only with an EVENTS_URL that is an s3:// address');
  }
  return config;
}

export type Config = ReturnType<typeof loadConfig>;

/** For processes that only handle tenants' events. */
const UNNEEDED_SECRETS = [
  'AUTH_SECRET',
  'DATABASE_DIRECT_URL',
  'SECRETS_KEY',
  'CRON_SECRET',
  'METRICS_TOKEN',
  'LAKE_TOKEN',
  'REDIS_URL',
  'SMTP_URL',
  'PUBLISHER_API_KEY',
  'BACKEND_API_TOKEN',
  'TEMPORAL_API_KEY',
  'TEMPORAL_CODEC_TOKEN',
  // Useless without the key; these processes send Temporal nothing.
  'TEMPORAL_PAYLOADS',
];

export function childEnvironment(extra: Record<string, string>, role?: ProcessRole): Env {
  const env: Env = { ...Bun.env, ...extra };
  if (role !== 'compactor' && role !== 'query') return env;
  const ofLake = role === 'query' ? [] : ['LAKE_ENGINE_URL', 'LAKE_ENGINE_PASSWORD'];
  for (const name of [...UNNEEDED_SECRETS, ...ofLake]) delete env[name];
  return env;
}
