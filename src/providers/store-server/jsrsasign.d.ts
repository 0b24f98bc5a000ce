/** Missing in jsrsasign's published types. */
declare namespace jsrsasign.KJUR.asn1.ocsp {
  class OCSPParser {
    getOCSPResponse(hex: string): unknown;
  }
  interface CertID {
    getParamByCerts(issuerPem: string, subjectPem: string, hash: string): unknown;
  }
}
