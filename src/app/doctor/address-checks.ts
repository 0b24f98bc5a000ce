import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Config } from '../../config.ts';
import { countProxies } from '../../modules/system/index.ts';
import { isLoopbackHost } from '../../shared/loopback.ts';
import { toPublicUrl, unseenProxy } from '../../shared/own-origin.ts';
import { DAY_MS, SECOND_MS } from '../../shared/time.ts';
import type { Check, Finding } from './check.ts';

const RENEW_DAYS = 14;
const LIMIT_MS = 5 * SECOND_MS;

function addresses(config: Config): [string, URL][] {
  const temporal = config.temporal.address;
  const all: [string, string | undefined][] = [
    ['PUBLIC_URL', config.publicUrl],
    ['DATABASE_URL', config.databaseUrl],
    ['DATABASE_DIRECT_URL', config.databaseDirectUrl],
    ['TEMPORAL_ADDRESS', temporal && `temporal://${temporal}`],
    ['S3_ENDPOINT', config.events.s3.endpoint],
    ['SMTP_URL', config.smtpUrl],
    ['REDIS_URL', config.redisUrl],
    ['PUBLISHER_API_URL', config.publisherApiUrl],
    ['BACKEND_API_URL', config.backendApiUrl],
  ];
  return all.flatMap(([name, url]) => (url === undefined ? [] : [[name, new URL(url)]]));
}

async function unresolved([name, { hostname }]: [string, URL]): Promise<Finding[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === '' || isIP(host) !== 0) return [];
  return lookup(host).then(
    () => [],
    () => [{ found: `${name}: the name ${host} leads to no address.` }],
  );
}

type Shown = { until: Date; fault: string | null };

function readCertificate({ hostname, port }: URL): Promise<Shown> {
  const { promise, resolve, reject } = Promise.withResolvers<Shown>();
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  const socket = connect(
    { host, port: Number(port || 443), servername, rejectUnauthorized: false },
    () => {
      const { valid_to: until } = socket.getPeerCertificate();
      const fault = socket.authorized ? null : String(socket.authorizationError ?? 'not trusted');
      resolve({ until: new Date(until), fault });
      socket.destroy();
    },
  );
  socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('It does not answer.')));
  socket.on('error', reject);
  return promise;
}

function endFinding(what: string, until: Date, now: number): Finding[] {
  const days = Math.floor((until.getTime() - now) / DAY_MS);
  if (days >= RENEW_DAYS) return [];
  const day = until.toISOString().slice(0, 10);
  return days < 0
    ? [{ found: `${what} ended on ${day}.` }]
    : [{ found: `${what} ends on ${day}, in ${days} days.`, severity: 'warning' }];
}

async function certificateFindings([name, url]: [string, URL], now: number): Promise<Finding[]> {
  const what = `The certificate at ${name} (${url.host})`;
  try {
    const { until, fault } = await readCertificate(url);
    const ended = endFinding(what, until, now);
    if (fault === null || ended.length > 0) return ended;
    return [
      {
        found: `${what} is refused: ${fault}.`,
        cure: 'Serve the certificate for this name with its intermediate ones, from an authority that phones trust.',
      },
    ];
  } catch (thrown) {
    return [{ found: `${name}: no TLS with ${url.host}: ${String(thrown)}` }];
  }
}

async function clientCertificate({ temporal }: Config, now: number): Promise<Finding[]> {
  if (temporal.tlsCertPath === undefined) return [];
  const { validTo } = new X509Certificate(await readFile(temporal.tlsCertPath));
  return endFinding('The certificate of TEMPORAL_TLS_CERT', new Date(validTo), now);
}

/** Where these differ sites do; under a suffix of several labels they may without. */
const siteEnd = ({ protocol, hostname }: URL) =>
  `${protocol}//${isIP(hostname) === 0 ? hostname.split('.').slice(-2).join('.') : hostname}`;

function foreignOrigins(config: Config): Finding[] {
  const own = new URL(toPublicUrl(config));
  return config.consoleOrigins
    .filter((origin) => siteEnd(new URL(origin)) !== siteEnd(own))
    .map((origin) => ({
      found: `CONSOLE_ORIGINS: ${origin} is another site than ${own.origin}: browsers send no cookie from it.`,
      severity: 'error',
    }));
}

function countFindings(proxies: number, trusted: number): Finding[] {
  if (proxies === trusted) return [];
  const found = `${proxies} proxies add to X-Forwarded-For, and TRUST_PROXY is ${trusted}: addresses of callers are wrong, and their limits.`;
  const set = `Set TRUST_PROXY=${proxies}`;
  return [
    { found, cure: proxies > 0 ? `${set}.` : `Let the proxy add X-Forwarded-For, or ${set}.` },
  ];
}

const LOST_COOKIE: Finding = {
  found: 'A cookie did not arrive: nobody can sign in.',
  cure: 'Let the proxy pass the header Cookie.',
};

const PLAIN: Finding = {
  found: 'PUBLIC_URL is http: cookies and keys travel unencrypted, and phones refuse it.',
};

export const ADDRESS_CHECKS: readonly Check[] = [
  {
    name: 'names',
    question: 'Do the names in the settings lead to addresses?',
    cure: 'Correct the name, or make its DNS record; check the resolver of this host (/etc/resolv.conf).',
    find: async ({ deps: { config } }) =>
      (await Promise.all(addresses(config).map(unresolved))).flat(),
  },
  {
    name: 'certificates',
    question: 'Are certificates trusted, and valid for two weeks or more?',
    cure: 'Renew it, and find out why that did not happen by itself.',
    after: 'names',
    find: async ({ deps: { config, clock } }) => {
      const now = clock().getTime();
      const https = addresses(config).filter(([, { protocol }]) => protocol === 'https:');
      const shown = https.map((each) => certificateFindings(each, now));
      const findings = await Promise.all([...shown, clientCertificate(config, now)]);
      return https.length === 0 && config.temporal.tlsCertPath === undefined
        ? null
        : findings.flat();
    },
  },
  {
    name: 'cookies',
    question: 'Is nothing known that keeps people from staying signed in?',
    severity: 'warning',
    cure: 'Serve the console and PUBLIC_URL by https under names of one site.',
    find: async ({ deps: { config } }) => {
      const url = new URL(toPublicUrl(config));
      const isPlain = url.protocol === 'http:' && !isLoopbackHost(url.hostname);
      return [
        ...foreignOrigins(config),
        ...(isPlain && config.publicUrl !== undefined ? [PLAIN] : []),
      ];
    },
  },
  {
    name: 'public-address',
    question: 'Does PUBLIC_URL lead here, through as many proxies as TRUST_PROXY says?',
    cure: 'Lead the name, the scheme and the whole path to HOST and PORT of this service (docs/deployment.md has a configuration of nginx).',
    find: async ({ arrived, deps: { config } }) => {
      const arrival = await arrived();
      if (arrival === null) {
        const found = unseenProxy(config);
        return found === null ? null : [{ found, cure: 'Set TRUST_PROXY.' }];
      }
      if ('found' in arrival) return [arrival];
      return [
        ...countFindings(countProxies(arrival), config.trustProxy),
        ...(arrival.lostCookie ? [LOST_COOKIE] : []),
      ];
    },
  },
];
