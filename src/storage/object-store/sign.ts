import { createHash, createHmac } from 'node:crypto';
import type { S3Credentials } from './credentials.ts';

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
export function signedHeaders({
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
