/** Parts of jsrsasign that its published types leave out. */
declare namespace jsrsasign.KJUR.asn1.ocsp {
  class OCSPParser {
    getOCSPResponse(hex: string): unknown;
  }
  interface CertID {
    getParamByCerts(issuerPem: string, subjectPem: string, hash: string): unknown;
  }
}
