import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config } from '../../config.ts';
import { readInstallation, readMarker } from '../../event-store/place.ts';
import { isClockOff } from '../../modules/system/index.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { BucketFailure } from '../../storage/object-store/bucket-failure.ts';
import { openObjectStoreAt, s3SettingsAt } from '../../storage/object-store/open.ts';
import { openS3Client } from '../../storage/object-store/s3.ts';
import type { Check, Finding } from './check.ts';
import { SCHEMA } from './database-checks.ts';
import { unwritable } from './host-checks.ts';

const FOLDER = 'doctor';

const KEYS = 'Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the role of S3_CREDENTIALS.';
const CURES: Readonly<Record<string, string>> = {
  AccessDenied:
    'Allow the key s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket on the bucket.',
  InvalidAccessKeyId: KEYS,
  XAdminUserNotFound: KEYS, // versitygw's
  SignatureDoesNotMatch: KEYS,
  NoSuchBucket: 'Make the bucket, or correct its name in the address.',
  AuthorizationHeaderMalformed: 'Set S3_REGION to the region of the bucket.',
  PermanentRedirect: 'Set S3_REGION, and S3_ENDPOINT where it is set, to the region of the bucket.',
  ExpiredToken: 'Set a fresh S3_SESSION_TOKEN with its keys, or use a role (S3_CREDENTIALS).',
  InvalidToken: 'Set S3_SESSION_TOKEN to the one of these keys.',
  RequestTimeTooSkewed: 'Set the clock of this host (NTP).',
};

async function answerHeaders(config: Config, address: string, key: string): Promise<Headers> {
  const settings = s3SettingsAt(config, address, '');
  const client = await openS3Client(settings);
  const path = settings.prefix === '' ? key : `${settings.prefix}/${key}`;
  const { headers, body } = await fetch(client.presign(path, { expiresIn: 60 }), {
    signal: AbortSignal.timeout(5 * SECOND_MS),
  });
  await body?.cancel();
  return headers;
}

function clockFinding(headers: Headers): Finding[] {
  const offMs = Date.now() - Date.parse(headers.get('date') ?? '');
  if (!isClockOff(offMs)) return [];
  const seconds = Math.round(Math.abs(offMs) / SECOND_MS);
  return [
    {
      found: `The clock of this host is ${seconds} s ${offMs < 0 ? 'behind' : 'ahead of'} the bucket's.`,
      cure: 'Set the clock of this host (NTP).',
    },
  ];
}

async function probeBucket(config: Config, address: string): Promise<Finding[] | string> {
  const store = openObjectStoreAt(config, address, join(tmpdir(), crypto.randomUUID()));
  const key = `${FOLDER}/${crypto.randomUUID()}`;
  await store.putBytes(key, Buffer.from(key));
  let findings: Finding[];
  let isVersioned: boolean;
  try {
    const bytes = await store.getBytes(key);
    const listed = await store.list(`${FOLDER}/`);
    const headers = await answerHeaders(config, address, key);
    isVersioned = headers.has('x-amz-version-id');
    const isWhole = Buffer.from(bytes ?? []).toString() === key;
    const isListed = listed.some((one) => one.key === key);
    findings = [
      ...(isWhole ? [] : [{ found: 'An object that was just written reads otherwise.' }]),
      ...(isListed ? [] : [{ found: 'An object that was just written is not listed.' }]),
      ...clockFinding(headers),
    ];
  } finally {
    await store.remove(key);
  }
  if (findings.length > 0) return findings;
  return isVersioned
    ? 'Versioning is on: let a rule expire old versions, or deleted data stays.'
    : 'Versioning is off: an object that is deleted by mistake cannot be brought back.';
}

async function probePlace(config: Config, address: string): Promise<Finding[] | string> {
  if (address.startsWith('file:')) return unwritable(fileURLToPath(address));
  return probeBucket(config, address).catch((thrown: unknown) => {
    if (!(thrown instanceof BucketFailure)) throw thrown;
    const cure = CURES[thrown.code];
    return [{ found: thrown.message, ...(cure !== undefined && { cure }) }];
  });
}

const isWithin = (url: string, other: string) => `${url}/`.startsWith(`${other}/`);

const REACH = 'Correct the address and S3_ENDPOINT, and let this host reach it.';

export const BUCKET_CHECKS: readonly Check[] = [
  {
    name: 'events-place',
    question: 'Can EVENTS_URL be written, listed, read and deleted from?',
    cure: REACH,
    find: async ({ deps: { config } }) => probePlace(config, config.events.url),
  },
  {
    name: 'events-owner',
    question: 'Are the files in EVENTS_URL of this installation?',
    cure: 'Set EVENTS_URL to the place of this installation, or to an empty one when it is new.',
    after: SCHEMA,
    find: async ({ deps: { objects, sql } }) => {
      const [owner, own] = await Promise.all([
        // A bucket that is away is named already.
        readMarker(objects).catch((thrown: unknown) => {
          if (thrown instanceof BucketFailure) return null;
          throw thrown;
        }),
        readInstallation(sql),
      ]);
      if (owner === null || owner === own.id) return [];
      return [{ found: `They belong to installation ${owner}; this one is ${own.id}.` }];
    },
  },
  {
    name: 'backup-place',
    question: 'Can BACKUP_TO be written, listed, read and deleted from?',
    cure: REACH,
    find: async ({ deps: { config } }) =>
      config.backups === null ? null : probePlace(config, config.backups.to),
  },
  {
    name: 'backup-apart',
    question: 'Do backups outlive the data?',
    severity: 'warning',
    cure: 'Set BACKUP_TO to another disk or a bucket.',
    find: async ({ deps: { config } }) => {
      const { backups, dataDir, events } = config;
      if (backups === null) return null;
      const places = { DATA_DIR: pathToFileURL(dataDir).href, EVENTS_URL: events.url };
      const [within] = Object.entries(places).filter(([, url]) => isWithin(backups.to, url));
      return within
        ? [{ found: `BACKUP_TO lies in ${within[0]}: what loses one loses both.` }]
        : [];
    },
  },
];
