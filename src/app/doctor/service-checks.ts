import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { ECB_RATES_URL } from '../../config.ts';
import { createMailer } from '../../providers/mail/client.ts';
import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Lack } from '../../temporal/requirements.ts';
import { serverReason } from '../../temporal/server-reason.ts';
import type { About, Check, Finding } from './check.ts';
import { SCHEMA } from './database-checks.ts';
import { countStoreKeys, selectStoreKeyFaults } from './queries.ts';

const TEMPORAL = 'temporal';
const REDIS_MS = 5 * SECOND_MS;

const describe = ({ reason, commands }: Lack): Finding => ({
  found: reason,
  ...(commands.length > 0 && { cure: `Run: ${commands.join(' && ')}` }),
});

/** A deadline is told with the driver's states, which say nothing to an operator. */
const silence = (reason: string) =>
  reason.startsWith('Deadline exceeded')
    ? 'did not answer in time: nothing of Temporal listens there, or one side uses TLS and the other none.'
    : `cannot be used: ${reason}`;

const reach = (url: string): Promise<string | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5 * SECOND_MS) }).then(
    () => null,
    (thrown: unknown) => `${new URL(url).host} cannot be reached: ${serverReason(thrown)}`,
  );

const readable = (path: string): Promise<string | null> =>
  access(path).then(
    () => null,
    (thrown: unknown) => errorMessage(thrown),
  );

/** The ECB's rates are missed by conversions only, which say so. */
async function unreachedServices({ deps: { config } }: About): Promise<Finding[]> {
  const given: [string, string | undefined][] = [
    ['PUBLISHER_API_URL', config.publisherApiUrl],
    ['BACKEND_API_URL', config.backendApiUrl],
    ['FX_RATES_URL', config.fxRatesUrl === ECB_RATES_URL ? undefined : config.fxRatesUrl],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', config.log.otlpEndpoint],
  ];
  const asked = given.map(async ([name, url]): Promise<Finding[]> => {
    if (url === undefined) return [];
    const found = await (url.startsWith('file:') ? readable(fileURLToPath(url)) : reach(url));
    return found === null ? [] : [{ found: `${name}: ${found}` }];
  });
  return (await Promise.all(asked)).flat();
}

async function unreachedStores({ servers, deps: { config, sql } }: About): Promise<Finding[]> {
  const none = { apple: 0, google: 0 };
  const keys = servers.postgres ? await countStoreKeys(sql).catch(() => none) : none;
  const stores: [string, number][] = [
    [config.storeApiUrl, keys.apple],
    [config.storeServerApiUrl, keys.apple],
    [config.playStoreApiUrl, keys.google],
    [config.googleTokenUrl, keys.google],
  ];
  const asked = stores.map(async ([url, connected]): Promise<Finding[]> => {
    const found = await reach(url);
    return found === null ? [] : [{ found, severity: connected > 0 ? 'error' : 'warning' }];
  });
  return (await Promise.all(asked)).flat();
}

async function unreachedRedis(url: string): Promise<Finding[]> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null },
    ...{ connectTimeout: REDIS_MS, commandTimeout: REDIS_MS },
  });
  const failed = new Promise<never>((_, reject) => redis.once('error', reject));
  try {
    await Promise.race([redis.connect(), failed]);
    return [];
  } catch (thrown) {
    return [{ found: `Redis (REDIS_URL, ${new URL(url).host}): ${errorMessage(thrown)}` }];
  } finally {
    redis.disconnect();
  }
}

export const SERVICE_CHECKS: readonly Check[] = [
  {
    name: TEMPORAL,
    question: 'Does Temporal answer, with namespace and search attributes of this installation?',
    cure: 'Start it, or correct TEMPORAL_ADDRESS, TEMPORAL_TLS_… and TEMPORAL_API_KEY (docs/deployment.md, What your own Temporal must have).',
    find: async ({ servers, isRunning, deps: { config, temporal } }) => {
      if (!servers.temporal) return null;
      const server = `Temporal (TEMPORAL_ADDRESS, ${config.temporal.address})`;
      const lack = await temporal.lack().catch((thrown: unknown) => ({
        ...{ reason: `${server} ${silence(serverReason(thrown))}`, commands: [], attributes: [] },
      }));
      if (lack === null) return [];
      const isMade = lack.attributes.length > 0 && !isRunning;
      return [{ ...describe(lack), ...(isMade && { severity: 'warning' as const }) }];
    },
  },
  {
    name: 'temporal-retention',
    question: 'Does the namespace keep closed workflows for a day or more?',
    severity: 'warning',
    cure: 'Run: temporal operator namespace update --namespace NAME --retention 72h',
    after: TEMPORAL,
    find: async ({ deps: { temporal } }) =>
      (await temporal.forgetsWithinADay())
        ? [{ found: 'It forgets closed workflows within a day, and with them why they failed.' }]
        : [],
  },
  {
    name: 'mail',
    question: 'Does the mail server take our mails?',
    cure: 'Correct SMTP_URL (host, port, user and password), MAIL_FROM or SMTP_TLS.',
    find: async ({ mailTo: to, deps: { config } }) => {
      const { smtpUrl, smtpTls: tls, mailFrom: from } = config;
      if (smtpUrl === undefined || from === undefined) {
        return to === undefined ? null : [{ found: 'SMTP_URL is not set: no mail can be sent.' }];
      }
      const mailer = createMailer(smtpUrl, { from, tls });
      await mailer.check();
      if (to === undefined) return 'Not tried with a mail: bun run doctor --mail ADDRESS.';
      const text = 'This is a test mail of the control plane: mails arrive.';
      await mailer.send({ to, subject: 'Test mail of the control plane', text });
      return `A test mail was accepted for ${to}.`;
    },
  },
  {
    name: 'stores',
    question: 'Can the App Store and Google Play be reached?',
    cure: 'Let this host open connections to port 443 of these names (firewall, proxy, DNS).',
    find: unreachedStores,
  },
  {
    name: 'services',
    question: 'Can the other services in the settings be reached?',
    severity: 'warning',
    cure: 'Correct the address, and let this host reach it (firewall, proxy, DNS).',
    find: unreachedServices,
  },
  {
    name: 'redis',
    question: 'Does Redis answer?',
    severity: 'warning',
    cure: 'Start it, or correct REDIS_URL: meanwhile each process counts rate limits by itself.',
    find: async ({ deps: { config } }) =>
      config.redisUrl === undefined ? null : await unreachedRedis(config.redisUrl),
  },
  {
    name: 'store-keys',
    question: 'Do the stores accept the connected keys, with the roles that they need?',
    severity: 'warning',
    cure: 'A member of the organization replaces the key, or gives it the role that the message names, on the page Store.',
    after: SCHEMA,
    find: async ({ deps: { sql } }) =>
      (await selectStoreKeyFaults(sql)).map(({ store: name, orgId, status, error }) => ({
        found: `${name}, organization ${orgId}: the key is ${status}. ${error ?? ''}`.trimEnd(),
      })),
  },
];
