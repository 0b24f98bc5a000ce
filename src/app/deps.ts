import { Redis } from 'ioredis';
import type { Config, ProcessRole } from '../config.ts';
import type { Deps } from '../context.ts';
import {
  createEventIntake,
  registerLogMetrics,
  type SegmentShipper,
} from '../event-store/append.ts';
import { readInstallation } from '../event-store/place.ts';
import { createRateLimits } from '../http/limits.ts';
import { announceEntry } from '../modules/audit/index.ts';
import { createEventNames, openCountries } from '../modules/events/index.ts';
import { createAssignments, selectLatestStarted } from '../modules/experiments/index.ts';
import { createFlagAsks, createFlagSets } from '../modules/flags/index.ts';
import {
  createIdentity,
  createPayers,
  type Identity,
  type PasswordHashing,
} from '../modules/identity/index.ts';
import { createDeviceKeys, createFlagKeys } from '../modules/keys/index.ts';
import { createPartitionedInsert, LogWriter } from '../modules/logs/index.ts';
import { createOfferings } from '../modules/offerings/index.ts';
import { createChainWatch, createProfiles, createRefresher } from '../modules/purchases/index.ts';
import { createKeySlots, createRateSource, createSalesFigures } from '../modules/sales/index.ts';
import { createMemberIds } from '../modules/segments/index.ts';
import { createSqlQuestions } from '../modules/sql/index.ts';
import type { Logger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createBackendProvider } from '../providers/backend/client.ts';
import { createEgress } from '../providers/egress/client.ts';
import { createMailer } from '../providers/mail/client.ts';
import { createPlayReports } from '../providers/play-reports/client.ts';
import { createPlayStore } from '../providers/play-store/client.ts';
import { createPushVerifier } from '../providers/play-store/push.ts';
import { createPublisher } from '../providers/publisher/client.ts';
import { createStoreClient } from '../providers/store/client.ts';
import type { Store } from '../providers/store/port.ts';
import { createStoreServer } from '../providers/store-server/client.ts';
import { askRevocation, type ChainToAsk } from '../providers/store-server/revocation.ts';
import { loadRootCertificates } from '../providers/store-server/roots.ts';
import { createSignatureVerifier } from '../providers/store-server/verifier.ts';
import { type AskQueries, Queries } from '../query/client.ts';
import {
  countForms,
  countSeconds,
  lakeQueryMetrics,
  queryFaults,
  queryMetrics,
  registerSchedules,
} from '../query/metrics.ts';
import { eventsToRead } from '../query/reading/lake/queries.ts';
import { openLakeEngine } from '../query/reading/lake/open.ts';
import { createSchedules, type Schedules } from '../query/schedule/schedules.ts';
import type { AppScope } from '../shared/app.ts';
import { ConfigError } from '../shared/env.ts';
import { toPublicUrl } from '../shared/own-origin.ts';
import type { ProviderRateLimit } from '../shared/provider-rate-limit.ts';
import type { Clock } from '../shared/time.ts';
import { isDatabaseUnavailable, type Sql } from '../storage/postgres.ts';
import { createProviderRateLimit } from '../storage/provider-rate-limit.ts';
import { createSecrets } from '../storage/secrets/secrets.ts';
import { createDataConverter } from '../temporal/data-converter.ts';
import { createTemporalGateway } from '../temporal/gateway.ts';
import { PERSON_PLACES, SEALED_COLUMNS } from './chapters.ts';
import { createEventDeps } from './event-deps.ts';
import { createRunNames } from './run-names.ts';

declare module '../context.ts' {
  interface Deps {
    askSql: ReturnType<typeof createSqlQuestions>;
    assignments: ReturnType<typeof createAssignments>;
    countryOf: ReturnType<typeof openCountries>;
    deviceKeys: ReturnType<typeof createDeviceKeys>;
    eventNames: ReturnType<typeof createEventNames>;
    events: ReturnType<typeof createEventIntake>;
    flagAsks: ReturnType<typeof createFlagAsks>;
    flagKeys: ReturnType<typeof createFlagKeys>;
    flagSets: ReturnType<typeof createFlagSets>;
    /** Lazy: only processes that serve people need `AUTH_SECRET`. */
    readonly identity: Identity;
    lakeEngine: ReturnType<typeof openLakeEngine>;
    latestExperiment: (scope: AppScope) => ReturnType<typeof selectLatestStarted>;
    logWriter: LogWriter;
    memberIds: ReturnType<typeof createMemberIds>;
    offerings: ReturnType<typeof createOfferings>;
    personPlaces: typeof PERSON_PLACES;
    playReports: ReturnType<typeof createPlayReports>;
    purchaseProfiles: ReturnType<typeof createProfiles>;
    purchaseRefresher: ReturnType<typeof createRefresher>;
    queries: AskQueries;
    rateLimits: ReturnType<typeof createRateLimits>;
    rates: ReturnType<typeof createRateSource>;
    salesFigures: ReturnType<typeof createSalesFigures>;
    sealedColumns: typeof SEALED_COLUMNS;
    /** Runs in the process that seals segments. */
    shipper: SegmentShipper;
  }
}

function openPublisher({ config, clock }: Base, gate: ProviderRateLimit) {
  const { publisherApiUrl: baseUrl, publisherApiKey: apiKey } = config;
  if (baseUrl === undefined || apiKey === undefined) return null;
  return createPublisher({ baseUrl, apiKey, gate, clock });
}

function openBackendProvider({ config, clock }: Base, gate: ProviderRateLimit) {
  const { backendApiUrl: baseUrl, backendApiToken: token, backendOrganization } = config;
  if (!baseUrl || !token || !backendOrganization) return null;
  return createBackendProvider({ baseUrl, token, organization: backendOrganization, gate, clock });
}

type Base = { config: Config; sql: Sql; clock: Clock; log: Logger };

export function openIdentity(
  { config, ...services }: Base,
  passwordHashing?: PasswordHashing,
): Identity {
  if (!config.authSecret) throw new ConfigError(['AUTH_SECRET is needed: 32 characters or more']);
  const publicUrl = toPublicUrl(config);
  const { smtpUrl, smtpTls: tls, mailFrom: from } = config;
  return createIdentity({
    ...services,
    ...(passwordHashing && { passwordHashing }),
    secret: config.authSecret,
    publicUrl,
    consoleUrl: config.consoleOrigins[0] ?? publicUrl,
    mailer: smtpUrl && from ? createMailer(smtpUrl, { from, tls }) : null,
  });
}

function openStore({ config, sql, clock }: Base, limits: ProviderRateLimit): Store {
  const { storeApiUrl: baseUrl } = config;
  return createStoreClient({ baseUrl, clock, gate: createKeySlots(sql), limits });
}

function openPurchases({ config, sql, clock, log }: Base) {
  const roots = loadRootCertificates(config.storeRootCertificates);
  const signatures = createSignatureVerifier({
    roots,
    ...createChainWatch(sql, clock, log),
  });
  return {
    signatures,
    storeServer: createStoreServer({
      baseUrls: {
        Production: config.storeServerApiUrl,
        Sandbox: config.storeServerSandboxApiUrl,
      },
      verifier: signatures,
      clock,
    }),
    playStore: createPlayStore({
      baseUrl: config.playStoreApiUrl,
      tokenUrl: config.googleTokenUrl,
      clock,
    }),
    playReports: createPlayReports({
      baseUrl: config.googleStorageUrl,
      tokenUrl: config.googleTokenUrl,
      clock,
    }),
    playPushes: createPushVerifier({ certsUrl: config.googleCertsUrl, clock }),
    offerings: createOfferings(sql, clock),
    purchaseProfiles: createProfiles(sql),
    purchaseRefresher: createRefresher(),
    askRevocation: (chain: ChainToAsk, now: Date) => askRevocation(chain, roots, now),
  };
}

/** Cached: the id survives even a restore. */
function createInstallationId(sql: Sql): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= (await readInstallation(sql)).id;
    return known;
  };
}

/** Blocks every request. */
const REDIS_ANSWER_MS = 500;

function openRedis({ redisUrl }: Config, log: Logger): Redis | undefined {
  if (redisUrl === undefined) return undefined;
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // Delays requests by half a second at most.
    commandTimeout: REDIS_ANSWER_MS,
    socketTimeout: REDIS_ANSWER_MS,
  });
  return redis.on('error', (error: Error) => log.warn({ err: error }, 'Redis unreachable'));
}

function openSchedules(deps: Pick<Deps, 'config' | 'log' | 'metrics' | 'sql'>): Schedules {
  const { registry } = deps.metrics;
  const onSeconds = countSeconds(registry);
  const schedules = createSchedules({
    ...deps.config.query,
    payersOf: createPayers(deps),
    onSeconds,
  });
  registerSchedules(registry, schedules);
  return schedules;
}

function openQueries({
  config,
  metrics: { registry },
  role,
  schedules,
  sql,
}: Pick<Deps, 'config' | 'metrics' | 'sql'> & { role: string; schedules: Schedules }): Queries {
  return new Queries({
    schedules,
    asker: role === 'worker' ? 'background' : 'people',
    runDir: config.runDir,
    processes: config.query.processes,
    timeoutSeconds: config.query.timeoutSeconds,
    onDone: queryMetrics(registry),
    onFault: queryFaults(registry),
    onForm: countForms(registry),
    eventsToRead: (selection) => eventsToRead(sql, selection),
    onLakeDone: lakeQueryMetrics(registry),
    lakeMinEvents: config.lake.engine?.minEvents,
  });
}

export async function createDeps(config: Config, role: ProcessRole | 'admin'): Promise<Deps> {
  const base = createEventDeps(config, role, announceEntry);
  const { clock, log, objects, shipper, sql } = base;
  const secrets = createSecrets(config.secretsKeys);
  const installationId = createInstallationId(sql);
  const temporal = createTemporalGateway(config, createDataConverter(config, secrets), {
    ownId: installationId,
    nameOf: createRunNames(sql, log),
  });
  const redis = openRedis(config, log);
  const metrics = createMetrics(role);
  const logWriter = new LogWriter({
    write: createPartitionedInsert(sql),
    isAway: isDatabaseUnavailable,
    log,
    onDropped: metrics.countDroppedLog,
  });
  if (role === 'api') {
    registerLogMetrics(metrics.registry, config.events.logDir, objects.isRemote ? shipper : null);
  }
  const events = createEventIntake({ config, sql, log, objects, shipper });
  const flagAsks = createFlagAsks({ sql, clock, log });
  const gate = createProviderRateLimit(sql);
  const rates = createRateSource(sql);
  const lakeEngine = openLakeEngine(config);
  const schedules = openSchedules({ config, sql, log, metrics });
  const queries = openQueries({ config, metrics, role, schedules, sql });
  const purchases = openPurchases({ config, sql, clock, log });
  let identity: Identity | undefined;
  return {
    ...base,
    secrets,
    installationId,
    temporal,
    metrics,
    get identity() {
      identity ??= openIdentity({ config, sql, clock, log });
      return identity;
    },
    countryOf: openCountries(role === 'api' ? config.countryTable : undefined),
    ...{ deviceKeys: createDeviceKeys(sql, clock), flagKeys: createFlagKeys(sql, clock) },
    assignments: createAssignments(sql, clock),
    flagSets: createFlagSets(sql, clock),
    flagAsks,
    latestExperiment: (scope) => selectLatestStarted(sql, scope),
    personPlaces: PERSON_PLACES,
    sealedColumns: SEALED_COLUMNS,
    rateLimits: createRateLimits(config.rateLimitScale, redis),
    egress: createEgress({ allow: config.egressAllow }),
    ...purchases,
    memberIds: createMemberIds({ sql, clock, log, queries, ...purchases }),
    logWriter,
    ...{ events, eventNames: createEventNames({ clock, log, sql }) },
    publisher: openPublisher({ config, sql, clock, log }, gate),
    lakeEngine,
    ...{ queries, askSql: createSqlQuestions(config, schedules.sql) },
    backendProvider: openBackendProvider({ config, sql, clock, log }, gate),
    store: openStore({ config, sql, clock, log }, gate),
    rates,
    salesFigures: createSalesFigures(sql, rates),
    close: async () => {
      await flagAsks.close();
      await logWriter.close();
      await events.close();
      redis?.disconnect();
      await temporal.close();
      await base.close();
    },
  };
}
