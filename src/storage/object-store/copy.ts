import { createHash, createHmac } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { MINUTE_MS, systemClock } from '../../shared/time.ts';
import type { S3Credentials } from './credentials.ts';
import { openObjectStoreAt, s3SettingsAt } from './open.ts';
import type { ObjectStore } from './port.ts';
import type { S3Settings } from './s3.ts';

const SERVICE = 's3';
const ALGORITHM = 'AWS4-HMAC-SHA256';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

type UnsignedRequest = {
  method: string;
  url: URL;
  /** Lower-case names; all are signed. */
  headers: Record<string, string>;
  region: string;
  credentials: S3Credentials;
  at: Date;
};

/** AWS Signature Version 4, no body: Bun has no CopyObject. */
function signedHeaders({
  method,
  url,
  headers,
  region,
  credentials,
  at,
}: UnsignedRequest): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const payloadHash = sha256('');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': time,
    ...(credentials.sessionToken && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(all).toSorted();
  const signedNames = names.join(';');
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    signedNames,
    payloadHash,
  ].join('\n');
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const key = [day, region, SERVICE, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n'));
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature.toString('hex')}`;
  return { ...all, authorization };
}

const COPY_LIMIT_MS = 5 * MINUTE_MS;
const COPIED = '<CopyObjectResult';

export type CopyCheck = (key: string, path: string) => Promise<void>;

export type Copier = {
  source: Pick<ObjectStore, 'list'>;
  target: Pick<ObjectStore, 'list' | 'remove'>;
  copy: (key: string, check?: CopyCheck) => Promise<void>;
  close: () => Promise<void>;
};

export async function putCopy(
  objects: Pick<ObjectStore, 'scratchPath' | 'adopt'>,
  key: string,
  path: string,
): Promise<void> {
  const scratch = objects.scratchPath(`copy-${crypto.randomUUID()}`);
  await copyFile(path, scratch);
  await objects.adopt(scratch, key);
}

async function readCredentials(settings: S3Settings): Promise<S3Credentials | null> {
  if (settings.credentials) return settings.credentials();
  const { accessKeyId, secretAccessKey, sessionToken } = settings;
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null;
}

/** URI-encoded by segment, as signatures require. */
const pathIn = ({ bucket, prefix }: S3Settings, key: string) =>
  `/${[bucket, ...prefix.split('/').filter(Boolean), ...key.split('/')].map(encodeURIComponent).join('/')}`;

/** CopyObject within one server; false when unsupported. */
async function copyWithin(from: S3Settings, to: S3Settings, key: string): Promise<boolean> {
  const credentials = await readCredentials(to);
  if (credentials === null) return false;
  const { region } = to;
  const base = to.endpoint?.replace(/\/+$/, '') ?? `https://s3.${region}.amazonaws.com`;
  const url = new URL(`${base}${pathIn(to, key)}`);
  const headers = { 'x-amz-copy-source': pathIn(from, key) };
  const response = await fetch(url, {
    method: 'PUT',
    headers: signedHeaders({
      method: 'PUT',
      url,
      headers,
      region,
      credentials,
      at: systemClock(),
    }),
    signal: AbortSignal.timeout(COPY_LIMIT_MS),
  }).catch(() => null);
  // Errors may come with 200.
  return response?.ok === true && (await response.text()).includes(COPIED);
}

/** Through this host unless the server can. */
export function openCopier(
  config: Config,
  { from, to, cacheDir }: { from: string; to: string; cacheDir: string },
): Copier {
  const source = openObjectStoreAt(config, from, cacheDir);
  const target = openObjectStoreAt(config, to, cacheDir);
  const [one, other] = [from, to].map((address) =>
    address.startsWith('s3:') ? s3SettingsAt(config, address, cacheDir) : null,
  );
  return {
    source,
    target,
    copy: async (key, check) => {
      if (one && other && (await copyWithin(one, other, key))) return;
      const path = await source.localPath(key);
      await check?.(key, path);
      await putCopy(target, key, path);
      if (source.isRemote) await rm(path, { force: true });
      // A cached copy is of no use here.
      if (target.isRemote) await rm(await target.localPath(key), { force: true });
    },
    close: () => rm(cacheDir, { recursive: true, force: true }),
  };
}
