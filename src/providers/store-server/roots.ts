import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** SHA-256 of Apple Root CA – G3, as published. */
export const APPLE_ROOT_CA_G3_SHA256 =
  '63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79';

const SHIPPED = new URL('./apple-root-ca-g3.pem', import.meta.url);

function readCertificate(file: string | URL): X509Certificate {
  try {
    return new X509Certificate(readFileSync(file));
  } catch (cause) {
    throw new Error(`${file} is not a certificate in DER or PEM form.`, { cause });
  }
}

/** By default the shipped Apple Root CA – G3. Throws for non-CA certificates. */
export function loadRootCertificates(files: readonly string[]): Buffer[] {
  if (files.length === 0) {
    const shipped = readCertificate(SHIPPED);
    if (shipped.fingerprint256 !== APPLE_ROOT_CA_G3_SHA256) {
      throw new Error('The shipped root certificate is not Apple Root CA – G3.');
    }
    return [shipped.raw];
  }
  return files.map((file) => {
    const certificate = readCertificate(file);
    if (!certificate.ca)
      throw new Error(`${file} is not the certificate of a certificate authority.`);
    return certificate.raw;
  });
}
