import 'reflect-metadata';
import { createPublicKey, KeyObject, sign } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export const LEAF_MARKER = '1.2.840.113635.100.6.11.1';
export const INTERMEDIATE_MARKER = '1.2.840.113635.100.6.2.1';
const ASN1_NULL = new Uint8Array([5, 0]);

const P384 = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' };
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export type PkiOptions = {
  notBefore?: Date;
  notAfter?: Date;
  leafMarker?: string;
  intermediateMarker?: string;
  /** Name of the root; two roots of one name are still two keys. */
  name?: string;
  /** Where the authorities answer about their certificates (OCSP). */
  ocspUrl?: string;
  /** So many more extensions in leaf and intermediate, which nobody asked for. */
  extensions?: number;
};

export type Signer = {
  /** DER certificates in base64: leaf, intermediate, root. */
  x5c: [string, string, string];
  leafKey: KeyObject;
  intermediate: Authority;
};

export type Pki = Signer & {
  root: Authority;
  rootDer: Buffer;
  rootPem: string;
  leafPublicPem: string;
  /** Another leaf and intermediate under the same root, as when the store renews its own. */
  renewed(options?: PkiOptions): Promise<Signer>;
  /** The root's name and key in another certificate, in base64. */
  reissuedRoot(): Promise<string>;
};

let serial = 1;
const nextSerial = () => (serial++).toString(16).padStart(8, '0');

export type Authority = { name: string; keys: CryptoKeyPair };

async function issue(
  subject: string,
  issuer: Authority,
  publicKey: CryptoKey,
  extensions: x509.Extension[],
  dates: { notBefore: Date; notAfter: Date },
): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    serialNumber: nextSerial(),
    subject,
    issuer: issuer.name,
    ...dates,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-384' },
    publicKey,
    signingKey: issuer.keys.privateKey,
    extensions,
  });
}

const authority = () => new x509.BasicConstraintsExtension(true, undefined, true);
const responder = (url: string | undefined) =>
  url === undefined ? [] : [new x509.AuthorityInfoAccessExtension({ ocsp: url })];
/** The smallest extensions there are: as many as possible fit into a certificate. */
const padding = (count = 0) =>
  Array.from({ length: count }, (_, index) => {
    return new x509.Extension(`1.3.${Math.floor(index / 100)}.${index % 100}`, false, ASN1_NULL);
  });
const marker = (oid: string) => new x509.Extension(oid, false, ASN1_NULL);

/** A certificate that may sign an authority's OCSP answers. */
export async function issueResponder(
  issuer: Authority,
  options: { mayAnswer: boolean },
): Promise<{ der: Buffer; privateKey: KeyObject }> {
  const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const usage = options.mayAnswer ? '1.3.6.1.5.5.7.3.9' : '1.3.6.1.5.5.7.3.1';
  const certificate = await issue(
    'CN=Simulated Responder, C=US',
    issuer,
    keys.publicKey,
    [new x509.ExtendedKeyUsageExtension([usage])],
    validity({}),
  );
  return { der: Buffer.from(certificate.rawData), privateKey: KeyObject.from(keys.privateKey) };
}

async function signerUnder(
  root: Authority,
  rootCertificate: x509.X509Certificate,
  options: PkiOptions,
): Promise<Signer> {
  const dates = validity(options);
  const intermediateKeys = await crypto.subtle.generateKey(P384, true, ['sign', 'verify']);
  const leafKeys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const intermediate: Authority = {
    name: 'CN=Simulated Developer Relations, C=US',
    keys: intermediateKeys,
  };
  const intermediateCertificate = await issue(
    intermediate.name,
    root,
    intermediateKeys.publicKey,
    [
      authority(),
      marker(options.intermediateMarker ?? INTERMEDIATE_MARKER),
      ...responder(options.ocspUrl),
      ...padding(options.extensions),
    ],
    dates,
  );
  const leaf = await issue(
    'CN=Simulated Receipt Signing, C=US',
    intermediate,
    leafKeys.publicKey,
    [
      new x509.BasicConstraintsExtension(false),
      marker(options.leafMarker ?? LEAF_MARKER),
      ...responder(options.ocspUrl),
      ...padding(options.extensions),
    ],
    dates,
  );
  const base64 = (certificate: x509.X509Certificate) => certificate.toString('base64');
  return {
    x5c: [base64(leaf), base64(intermediateCertificate), base64(rootCertificate)],
    leafKey: KeyObject.from(leafKeys.privateKey),
    intermediate,
  };
}

const YEAR_MS = 365 * 86_400_000;

function validity(options: PkiOptions) {
  return {
    notBefore: options.notBefore ?? new Date(Date.now() - 5 * YEAR_MS),
    notAfter: options.notAfter ?? new Date(Date.now() + 10 * YEAR_MS),
  };
}

/** A root, an intermediate and a leaf of its own, built as the store builds its chain. */
export async function createPki(options: PkiOptions = {}): Promise<Pki> {
  const root: Authority = {
    name: `CN=${options.name ?? 'Simulated Root CA'}, C=US`,
    keys: await crypto.subtle.generateKey(P384, true, ['sign', 'verify']),
  };
  const issueRoot = () => issue(root.name, root, root.keys.publicKey, [authority()], validity({}));
  const certificate = await issueRoot();
  const signer = await signerUnder(root, certificate, options);
  return {
    ...signer,
    root,
    rootDer: Buffer.from(certificate.rawData),
    rootPem: certificate.toString('pem'),
    leafPublicPem: createPublicKey(signer.leafKey)
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    renewed: (renewal = {}) => signerUnder(root, certificate, { ...options, ...renewal }),
    reissuedRoot: async () => (await issueRoot()).toString('base64'),
  };
}

export const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export type JwsOptions = {
  header?: Record<string, unknown>;
  encoding?: 'ieee-p1363' | 'der';
};

/** Signs a payload as the store does; the options make it wrong in one way at a time. */
export function signJws(signer: Signer, payload: unknown, options: JwsOptions = {}): string {
  const header = base64url({ alg: 'ES256', x5c: signer.x5c, ...options.header });
  const body = `${header}.${base64url(payload)}`;
  const signature = sign('sha256', Buffer.from(body), {
    key: signer.leafKey,
    dsaEncoding: options.encoding ?? 'ieee-p1363',
  });
  return `${body}.${signature.toString('base64url')}`;
}
