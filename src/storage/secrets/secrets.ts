import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

/** A row cannot be moved to another owner. */
export type SecretScope = { orgId: string; purpose: string };

type MasterKey = { id: string; key: Buffer };

function unavailable(why: string): AppError {
  return new AppError('secret_storage_unavailable', 'Secret storage is not available.', {
    hint: why,
  });
}

function associatedData(scope: SecretScope): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, scope.orgId, scope.purpose]));
}

/**
 * Without a master key all methods throw `secret_storage_unavailable`. @param keys base64: the
 * first encrypts, all decrypt.
 */
export function createSecrets(keys: readonly string[]) {
  const masters = keys.map((text): MasterKey => {
    const key = Buffer.from(text, 'base64');
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
  });

  const first = (): MasterKey => {
    const master = masters[0];
    if (!master) throw unavailable('Set SECRETS_KEY on the server.');
    return master;
  };

  return {
    available: masters.length > 0,
    /** Master key fingerprints in order; each sealed record names its own. */
    keyIds: masters.map(({ id }) => id),
    /** `v1.<key id>.<base64 of nonce, tag and ciphertext>` */
    seal: (scope: SecretScope, plaintext: string) => {
      const { id, key } = first();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(associatedData(scope));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const record = Buffer.concat([nonce, cipher.getAuthTag(), body]);
      return `${FORMAT}.${id}.${record.toString('base64')}`;
    },
    open: (scope: SecretScope, sealed: string) => {
      first();
      const [format, id, text] = sealed.split('.');
      const master = masters.find((candidate) => candidate.id === id);
      if (format !== FORMAT || text === undefined || !master) {
        throw unavailable('The key that sealed this secret is not in SECRETS_KEY.');
      }
      const record = Buffer.from(text, 'base64');
      const decipher = createDecipheriv(ALGORITHM, master.key, record.subarray(0, NONCE_BYTES))
        .setAAD(associatedData(scope))
        .setAuthTag(record.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = record.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    needsRotation: (sealed: string) => sealed.split('.')[1] !== first().id,
    /** In order; for another use such as Temporal payloads. */
    deriveKeys: (purpose: string) => {
      first();
      return masters.map(({ id, key }) => ({
        id,
        key: new Uint8Array(hkdfSync('sha256', key, '', purpose, 32)),
      }));
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;
