import { type KeyObject, X509Certificate } from 'node:crypto';
import { SignatureError } from './port.ts';

const MAX_JWS_CHARACTERS = 65_536;
/** Real ones have about 1 KB. */
const MAX_CERTIFICATE_BYTES = 4_096;
const MAX_BASE64_CHARACTERS = Math.ceil(MAX_CERTIFICATE_BYTES / 3) * 4;

export type SentChain = { leaf: X509Certificate; intermediate: X509Certificate };

export type PinnedRoot = {
  raw: Buffer;
  subject: string;
  publicKey: KeyObject;
  publicKeyBytes: Buffer;
};

const toSpki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });

export function pinRoots(roots: readonly Buffer[]): PinnedRoot[] {
  return roots.map((raw) => {
    const { subject, publicKey } = new X509Certificate(raw);
    return { raw, subject, publicKey, publicKeyBytes: toSpki(publicKey) };
  });
}

function parseHeader(jws: string): object {
  if (jws.length > MAX_JWS_CHARACTERS) throw new SignatureError('malformed');
  const [part, ...rest] = jws.split('.', 4);
  if (part === undefined || rest.length !== 2) throw new SignatureError('malformed');
  let header: unknown;
  try {
    header = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch (cause) {
    throw new SignatureError('malformed', cause);
  }
  if (typeof header !== 'object' || header === null) throw new SignatureError('malformed');
  return header;
}

function decodeBytes(sent: unknown): Buffer {
  if (typeof sent !== 'string') throw new SignatureError('chain');
  if (sent.length > MAX_BASE64_CHARACTERS) throw new SignatureError('certificate');
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.length > MAX_CERTIFICATE_BYTES) throw new SignatureError('certificate');
  return bytes;
}

function parseCertificate(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch (cause) {
    throw new SignatureError('certificate', cause);
  }
}

/** A reissued root keeps name and key. */
function pinnedRoot(sent: Buffer, roots: readonly PinnedRoot[]): PinnedRoot {
  const same = roots.find((root) => root.raw.equals(sent));
  if (same) return same;
  const { subject, publicKey } = parseCertificate(sent);
  const key = toSpki(publicKey);
  const reissued = roots.find(
    (root) => root.subject === subject && root.publicKeyBytes.equals(key),
  );
  if (!reissued) throw new SignatureError('signature');
  return reissued;
}

/** Native, in microseconds for any input. */
export function readChain(
  jws: string,
  roots: readonly PinnedRoot[],
): SentChain & { root: PinnedRoot } {
  const header = parseHeader(jws);
  if (!('alg' in header) || header.alg !== 'ES256') throw new SignatureError('algorithm');
  const sent: unknown = 'x5c' in header ? header.x5c : undefined;
  if (!Array.isArray(sent) || sent.length !== 3) throw new SignatureError('chain');
  const [leaf, intermediate, top] = sent.map(decodeBytes);
  if (!leaf || !intermediate || !top) throw new SignatureError('chain');
  const root = pinnedRoot(top, roots);
  return { leaf: parseCertificate(leaf), intermediate: parseCertificate(intermediate), root };
}

function isIssuedBy(one: X509Certificate, issuer: { subject: string; publicKey: KeyObject }) {
  try {
    return one.issuer === issuer.subject && one.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Before parsing an unsigned certificate. */
export function checkIssuers({ leaf, intermediate }: SentChain, root: PinnedRoot): void {
  const isSigned =
    isIssuedBy(intermediate, root) && intermediate.ca && isIssuedBy(leaf, intermediate);
  if (!isSigned) throw new SignatureError('signature');
}
