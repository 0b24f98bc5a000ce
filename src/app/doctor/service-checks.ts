import { createMailer } from '../../providers/mail/client.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Lack } from '../../temporal/requirements.ts';
import { serverReason } from '../../temporal/server-reason.ts';
import type { About, Check, Finding } from './check.ts';
import { SCHEMA } from './database-checks.ts';
import { countStoreKeys, selectStoreKeyFaults } from './queries.ts';

const TEMPORAL = 'temporal';

const describe = ({ reason, commands }: Lack): Finding => ({
  found: reason,
  ...(commands.length > 0 && { cure: `Run: ${commands.join(' && ')}` }),
});

const reach = (url: string): Promise<string | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5 * SECOND_MS) }).then(
    () => null,
    (thrown: unknown) => `${new URL(url).host} cannot be reached: ${serverReason(thrown)}`,
  );

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

export const SERVICE_CHECKS: readonly Check[] = [
  {
    name: TEMPORAL,
    question: 'Does Temporal answer, with namespace and search attributes of this installation?',
    cure: 'Start it, or correct TEMPORAL_ADDRESS, TEMPORAL_TLS_… and TEMPORAL_API_KEY (docs/deployment.md, What your own Temporal must have).',
    find: async ({ servers, isRunning, deps: { temporal } }) => {
      if (!servers.temporal) return null;
      const lack = await temporal.lack().catch((thrown: unknown) => ({
        ...{ reason: serverReason(thrown), commands: [], attributes: [] },
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
