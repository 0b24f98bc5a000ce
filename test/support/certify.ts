import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** Signed by itself, in PEM. */
export async function certify(
  address: string,
  notAfter?: Date,
): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${address}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
    ...(notAfter && { notBefore: new Date(0), notAfter }),
  });
  const exported = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = x509.PemConverter.encode(exported, 'PRIVATE KEY');
  return { key, cert: certificate.toString('pem') };
}
