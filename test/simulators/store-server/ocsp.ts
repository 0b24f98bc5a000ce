import jsrsasign from 'jsrsasign';
import { type Authority, issueResponder } from './pki.ts';

type Issuer = 'root' | 'intermediate';

export type ResponderSimulator = {
  url: string;
  /** The authorities that it answers for; a certificate has to name its address, so they come later. */
  serve(authorities: Record<Issuer, Authority>): Promise<void>;
  /** Serial numbers; every other certificate is good. */
  revoked: Set<bigint>;
  /** How the next answers are wrong. */
  fault: 'none' | 'unauthorized_signer' | 'stale' | 'unknown' | 'tampered' | 'away' | 'junk';
  stop(): Promise<void>;
};

/** `20261121100000Z`. */
const asn1Time = (ms: number) =>
  `${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;

/** An OCSP responder for the simulated authorities, with delegated certificates as the store's has. */
export async function startResponder(): Promise<ResponderSimulator> {
  type Delegate = Awaited<ReturnType<typeof issueResponder>>;
  const delegates: Partial<Record<Issuer, { good: Delegate; bad: Delegate }>> = {};
  const ocsp: any = jsrsasign.KJUR.asn1.ocsp;

  /** Which authority a request is about, by the key hash in it. */
  const keyHashes = new Map<string, Issuer>();

  const answer = (path: string): Buffer => {
    const encoded = decodeURIComponent(path.split('/').at(-1) ?? '');
    const hex = Buffer.from(encoded, 'base64').toString('hex');
    const [certid] = new ocsp.OCSPParser().getOCSPRequest(hex).array;
    const both = delegates[keyHashes.get(certid.isskey) ?? 'root'];
    if (!both) throw new Error('The responder serves no authority yet.');
    const signer = self.fault === 'unauthorized_signer' ? both.bad : both.good;
    const madeAt = Date.now() - (self.fault === 'stale' ? 10 * 86_400_000 : 0);
    const isRevoked = self.revoked.has(BigInt(`0x${certid.sbjsn}`));
    const status = isRevoked ? { status: 'revoked', time: asn1Time(madeAt) } : { status: 'good' };
    const made = new ocsp.OCSPResponse({
      resstatus: 'successful',
      restype: 'ocspBasic',
      respid: { key: '00'.repeat(20) },
      prodat: asn1Time(madeAt),
      array: [
        {
          certid,
          status: self.fault === 'unknown' ? { status: 'unknown' } : status,
          thisupdate: asn1Time(madeAt),
          nextupdate: asn1Time(madeAt + 3_600_000),
        },
      ],
      sigalg: 'SHA256withECDSA',
      reskey: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      certs: [signer.der.toString('hex')],
    });
    const bytes = Buffer.from(made.getEncodedHex(), 'hex');
    // The time that it was made at is part of what is signed.
    const place = bytes.indexOf(asn1Time(madeAt).slice(0, 8));
    if (self.fault === 'tampered') bytes.write('19990101', place, 'latin1');
    return bytes;
  };

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      if (self.fault === 'away') return new Response('', { status: 503 });
      if (self.fault === 'junk') return new Response('not an answer');
      return new Response(new Uint8Array(answer(new URL(request.url).pathname)));
    },
  });

  const self: ResponderSimulator = {
    url: `http://127.0.0.1:${server.port}`,
    revoked: new Set(),
    fault: 'none',
    async serve(authorities) {
      for (const issuer of ['root', 'intermediate'] as const) {
        const authority = authorities[issuer];
        delegates[issuer] = {
          good: await issueResponder(authority, { mayAnswer: true }),
          bad: await issueResponder(authority, { mayAnswer: false }),
        };
        const raw = await crypto.subtle.exportKey('raw', authority.keys.publicKey);
        keyHashes.set(new Bun.CryptoHasher('sha256').update(raw).digest('hex'), issuer);
      }
    },
    stop: async () => {
      await server.stop(true);
    },
  };
  return self;
}
