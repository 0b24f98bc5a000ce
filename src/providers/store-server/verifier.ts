import { createHash, type KeyObject, type X509Certificate } from 'node:crypto';
import {
  Environment as AppleEnvironment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../shared/record.ts';
import { checkIssuers, type PinnedRoot, pinRoots, readChain } from './admission.ts';
import * as maps from './map.ts';
import * as port from './port.ts';
import * as wire from './wire.ts';

type DateField = 'signedDate' | 'receiptCreationDate';
type Dated<Field extends DateField> = Readonly<Record<Field, number>>;

const MAX_TRUSTED_CHAINS = 64;
/** The library's tolerance for certificate dates. */
const SKEW_MS = 60_000;

type TrustedChain = { publicKey: KeyObject; notBeforeMs: number; notAfterMs: number };

export function chainFingerprint(leaf: X509Certificate, intermediate: X509Certificate): string {
  return createHash('sha256').update(leaf.raw).update(intermediate.raw).digest('hex');
}

export type VerifierOptions = {
  roots: readonly Buffer[];
  /** On first trust, to check revocation. */
  onChain?: (chain: port.CertificateChain) => void;
  isRevoked?: (fingerprint: string) => boolean;
};

/** The library's cache breaks at the 33rd chain; it also asks the network. */
class OfflineVerifier extends SignedDataVerifier {
  private readonly trusted = new LRUCache<string, TrustedChain>({ max: MAX_TRUSTED_CHAINS });
  private readonly options: VerifierOptions;
  private readonly pinned: readonly PinnedRoot[];

  constructor(options: VerifierOptions) {
    // Xcode and LocalTesting disable every check.
    super([...options.roots], false, AppleEnvironment.SANDBOX, '');
    this.options = options;
    this.pinned = pinRoots(options.roots);
  }

  /** The library parses certificates before verifying their signer. */
  admit(jws: string): void {
    const chain = readChain(jws, this.pinned);
    if (this.trusted.has(chainFingerprint(chain.leaf, chain.intermediate))) return;
    checkIssuers(chain, chain.root);
  }

  verified<Field extends DateField>(jws: string, field: Field): Promise<Dated<Field>> {
    return this.verifyJWT(jws, { validate: (payload) => hasDate(payload, field) }, (payload) => {
      return new Date(payload[field]);
    });
  }

  protected override async verifyCertificateChain(
    roots: X509Certificate[],
    leaf: X509Certificate,
    intermediate: X509Certificate,
    at: Date,
  ): Promise<KeyObject> {
    const fingerprint = chainFingerprint(leaf, intermediate);
    if (this.options.isRevoked?.(fingerprint)) throw new port.SignatureError('revoked');
    const trusted = this.trusted.get(fingerprint);
    if (trusted) {
      if (isValidAt(trusted, at)) return trusted.publicKey;
      throw new port.SignatureError('certificate');
    }
    const publicKey = await this.verifyCertificateChainWithoutCaching(
      roots,
      leaf,
      intermediate,
      at,
    );
    this.remember(fingerprint, { leaf, intermediate, publicKey, roots });
    return publicKey;
  }

  private remember(
    fingerprint: string,
    chain: {
      leaf: X509Certificate;
      intermediate: X509Certificate;
      publicKey: KeyObject;
      roots: readonly X509Certificate[];
    },
  ): void {
    const roots = chain.roots.filter((root) => root.subject === chain.intermediate.issuer);
    const certificates = [chain.leaf, chain.intermediate, ...roots];
    this.trusted.set(fingerprint, {
      publicKey: chain.publicKey,
      notBeforeMs: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))),
      notAfterMs: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))),
    });
    this.options.onChain?.({
      fingerprint,
      leaf: chain.leaf.raw,
      intermediate: chain.intermediate.raw,
    });
  }
}

function isValidAt(chain: TrustedChain, at: Date): boolean {
  return chain.notBeforeMs <= at.getTime() + SKEW_MS && chain.notAfterMs >= at.getTime() - SKEW_MS;
}

function hasDate<Field extends DateField>(value: unknown, field: Field): value is Dated<Field> {
  return isRecord(value) && Number.isFinite(value[field]);
}

const FAULTS: Readonly<Partial<Record<VerificationStatus, port.SignatureFault>>> = {
  [VerificationStatus.INVALID_ENVIRONMENT]: 'environment',
  [VerificationStatus.INVALID_CHAIN_LENGTH]: 'chain',
  [VerificationStatus.INVALID_CERTIFICATE]: 'certificate',
  [VerificationStatus.FAILURE]: 'malformed',
};

function asSignatureError(thrown: unknown): port.SignatureError {
  if (thrown instanceof port.SignatureError) return thrown;
  if (!(thrown instanceof VerificationException))
    return new port.SignatureError('malformed', thrown);
  if (thrown.cause instanceof port.SignatureError) return thrown.cause;
  return new port.SignatureError(FAULTS[thrown.status] ?? 'signature', thrown);
}

export function createSignatureVerifier(options: VerifierOptions): port.SignatureVerifier {
  const verifier = new OfflineVerifier(options);
  const open = async <T, U>(
    jws: string,
    parse: (payload: unknown) => T,
    map: (it: T) => U,
    signedAt: DateField = 'signedDate',
  ) => {
    try {
      verifier.admit(jws);
      return map(parse(await verifier.verified(jws, signedAt)));
    } catch (thrown) {
      throw asSignatureError(thrown);
    }
  };
  return {
    notification: (jws) => open(jws, wire.notificationPayload.parse, maps.toNotification),
    transaction: (jws) =>
      open(jws, wire.transactionPayload.parse, (payload) => ({
        snapshot: maps.toTransaction(payload),
        details: maps.toTransactionDetails(payload, jws),
      })),
    appTransaction: (jws) =>
      open(jws, wire.appTransactionPayload.parse, maps.toAppTransaction, 'receiptCreationDate'),
    renewal: (jws) =>
      open(jws, wire.renewalPayload.parse, (payload) => ({
        snapshot: maps.toRenewal(payload),
        details: maps.toRenewalDetails(payload, jws),
      })),
  };
}
