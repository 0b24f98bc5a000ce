import { generateKeyPairSync } from 'node:crypto';

/** A service account of Google with a key of its own. */
export function googleAccount(email: string, privateKeyId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    /** As its JSON key file has it. */
    file: {
      type: 'service_account',
      private_key_id: privateKeyId,
      private_key: privateKey,
      client_email: email,
    },
    trustedBy: (google: { addAccount: (email: string, publicKeyPem: string) => void }): void =>
      google.addAccount(email, publicKey),
  };
}
