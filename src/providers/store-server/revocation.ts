import { verify, X509Certificate } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import jsrsasign from 'jsrsasign';
import { failureOfStatus, ProviderError } from '../../shared/provider-error.ts';
import { exchangeWith } from '../../shared/provider-http.ts';
import { parser } from '../../shared/schema.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_BYTES = 32 * 1024;
const SKEW_MS = MINUTE_MS;
const HASH = 'sha256';

const Hex = Type.String({ pattern: '^[0-9a-f]*$' });
const CertificateId = Type.Object({ alg: Type.String(), issname: Hex, isskey: Hex, sbjsn: Hex });

const answerParser = parser(
  Type.Object({
    resstatus: Type.Literal(0),
    alg: Type.String(),
    sighex: Hex,
    certs: Type.Optional(Type.Array(Hex, { maxItems: 8 })),
    array: Type.Array(
      Type.Object({
        certid: CertificateId,
        status: Type.Object({ status: Type.String() }),
        thisupdate: Type.String(),
        nextupdate: Type.Optional(Type.String()),
      }),
      { maxItems: 16 },
    ),
  }),
  'OCSP answer',
);
type Answer = ReturnType<typeof answerParser.parse>;
const certificateIdParser = parser(CertificateId, 'certificate id');

export type Revocation = 'good' | 'revoked';

function unusable(message: string, cause?: unknown): ProviderError {
  return new ProviderError('malformed', message, { cause });
}

function findResponder(certificate: X509Certificate): URL {
  const uri = /^OCSP - URI:(.*)$/m.exec(certificate.infoAccess ?? '')?.[1];
  if (!uri || !URL.canParse(uri)) throw unusable('The certificate names no responder.');
  return new URL(uri);
}

/** GET form of RFC 6960, appendix A.1. */
async function fetchAnswer(
  certificate: X509Certificate,
  issuer: X509Certificate,
): Promise<Uint8Array> {
  const request = new jsrsasign.KJUR.asn1.ocsp.OCSPRequest({
    reqList: [{ issuerCert: issuer.toString(), subjectCert: certificate.toString(), alg: HASH }],
  });
  const encoded = Buffer.from(request.getEncodedHex(), 'hex').toString('base64');
  const base = findResponder(certificate).href.replace(/\/$/, '');
  const answer = await exchangeWith({
    method: 'GET',
    url: new URL(`${base}/${encodeURIComponent(encoded)}`),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const failure = failureOfStatus(answer.status);
  if (failure) throw new ProviderError(failure, `The responder answered ${answer.status}.`);
  return answer.bytes;
}

function parseAnswer(hex: string): { answer: Answer; signed: Buffer } {
  try {
    const answer = answerParser.parse(
      new jsrsasign.KJUR.asn1.ocsp.OCSPParser().getOCSPResponse(hex),
    );
    const signed = jsrsasign.ASN1HEX.getTLVbyList(hex, 0, [1, 0, 1, 0, 0]);
    return { answer, signed: Buffer.from(String(signed), 'hex') };
  } catch (cause) {
    throw unusable('The answer of the responder cannot be read.', cause);
  }
}

function maySignAnswers(certificate: X509Certificate, issuer: X509Certificate, now: Date): boolean {
  if (certificate.raw.equals(issuer.raw)) return true;
  const details = new jsrsasign.X509();
  details.readCertHex(certificate.raw.toString('hex'));
  const usage: unknown = details.getExtExtKeyUsage();
  return (
    JSON.stringify(usage ?? null).includes('ocspSigning') &&
    certificate.verify(issuer.publicKey) &&
    Date.parse(certificate.validFrom) <= now.getTime() + SKEW_MS &&
    Date.parse(certificate.validTo) >= now.getTime() - SKEW_MS
  );
}

/** Plain http: only the signature is proof. */
function checkSignature(answer: Answer, signed: Buffer, issuer: X509Certificate, now: Date): void {
  const hash = /^SHA(256|384|512)with/i.exec(answer.alg)?.[1];
  if (!hash) throw unusable('The answer of the responder is signed in an unknown way.');
  const own = (answer.certs ?? []).map((hex) => new X509Certificate(Buffer.from(hex, 'hex')));
  const signature = Buffer.from(answer.sighex, 'hex');
  const isSigned = [...own, issuer].some(
    (signer) =>
      maySignAnswers(signer, issuer, now) &&
      verify(`sha${hash}`, signed, signer.publicKey, signature),
  );
  if (!isSigned) throw unusable('The answer of the responder is not signed by its authority.');
}

/** `20261121100000Z` (ASN.1). */
function parseTime(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
  return Date.parse(text.replace(parts, '$1-$2-$3T$4:$5:$6Z'));
}

async function askAbout(
  certificate: X509Certificate,
  issuer: X509Certificate,
  now: Date,
): Promise<Revocation> {
  const hex = Buffer.from(await fetchAnswer(certificate, issuer)).toString('hex');
  const { answer, signed } = parseAnswer(hex);
  checkSignature(answer, signed, issuer, now);
  const wanted = certificateIdParser.parse(
    new jsrsasign.KJUR.asn1.ocsp.CertID().getParamByCerts(
      issuer.toString(),
      certificate.toString(),
      HASH,
    ),
  );
  const found = answer.array.find(({ certid }) =>
    (['issname', 'isskey', 'sbjsn'] as const).every((part) => certid[part] === wanted[part]),
  );
  if (!found) throw unusable('The responder answered about another certificate.');
  const since = parseTime(found.thisupdate);
  const until = found.nextupdate === undefined ? now.getTime() : parseTime(found.nextupdate);
  const isCurrent = since <= now.getTime() + SKEW_MS && until >= now.getTime() - SKEW_MS;
  if (!isCurrent) throw unusable('The answer of the responder is out of date.');
  if (found.status.status === 'good' || found.status.status === 'revoked') {
    return found.status.status;
  }
  throw unusable('The responder does not know the certificate.');
}

export type ChainToAsk = { leaf: Uint8Array; intermediate: Uint8Array };

/** Throws `ProviderError` without a usable response. */
export async function askRevocation(
  chain: ChainToAsk,
  roots: readonly Uint8Array[],
  now: Date,
): Promise<Revocation> {
  const leaf = new X509Certificate(chain.leaf);
  const intermediate = new X509Certificate(chain.intermediate);
  const root = roots
    .map((raw) => new X509Certificate(raw))
    .find((candidate) => intermediate.verify(candidate.publicKey));
  if (!root) throw unusable('The chain leads to no pinned root.');
  if ((await askAbout(intermediate, root, now)) === 'revoked') return 'revoked';
  return askAbout(leaf, intermediate, now);
}
