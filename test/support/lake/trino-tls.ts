import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/launcher/embedded/ports.ts';

/** A server's certificate for this machine, by an authority of its own. */
export type TlsFiles = { authority: string; keystore: string };

function openssl(folder: string, args: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args.split(' ')], { cwd: folder });
  if (exitCode !== 0) throw new Error(`openssl ${args}: ${stderr}`);
}

/** Certificates for `localhost` in a folder; without openssl none can be made. */
export async function makeTlsFiles(folder: string): Promise<TlsFiles> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const ca = '-x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=lake-tests';
  openssl(folder, `req ${ca} -keyout ca.key -out ca.pem`);
  openssl(folder, 'req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout own.key -out own.csr');
  const signed = '-CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names';
  openssl(folder, `x509 -req -in own.csr ${signed} -out own.pem`);
  const parts = await Promise.all(
    ['own.key', 'own.pem'].map((name) => Bun.file(join(folder, name)).text()),
  );
  const keystore = join(folder, 'keystore.pem');
  writeFileSync(keystore, parts.join(''));
  return { authority: join(folder, 'ca.pem'), keystore };
}

export type Secured = {
  port: number;
  /** Of config.properties. */
  config: Record<string, string | number | boolean>;
  /** Files of the folder of configuration. */
  files: Record<string, string>;
};

/** What makes a Trino ask for a password over TLS, beside the HTTP of its own servers. */
export async function secured(
  etc: string,
  { keystore }: TlsFiles,
  [user, password]: readonly [string, string],
): Promise<Secured> {
  const port = await freePort();
  const hashed = await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 8 });
  return {
    port,
    config: {
      'http-server.https.enabled': true,
      'http-server.https.port': port,
      'http-server.https.keystore.path': keystore,
      'http-server.authentication.type': 'PASSWORD',
      'internal-communication.shared-secret': 'between-servers-of-a-test',
    },
    files: {
      'password-authenticator.properties': `password-authenticator.name=file\nfile.password-file=${etc}/passwords\n`,
      // The spelling of the prefix that Trino knows.
      passwords: `${user}:${hashed.replace(/^\$2[ab]\$/, '$2y$')}\n`,
    },
  };
}
