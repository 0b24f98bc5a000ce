import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, succeeds } from './lake/tools.ts';
import { STORE_PASSWORD } from './tls-front.ts';

const COMPAT = join(import.meta.dir, '../compat');
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** In test/compat, each with a program and a list of jars. */
export const JVM_CLIENTS = [
  ...['segment-jvm', 'amplitude-jvm', 'posthog-jvm'],
  ...['segment-java-jvm', 'posthog-old-jvm', 'otlp-jvm'],
];

/** The folder of the jars that a client's list names, kept for the same list; null without. */
async function findJars(client: string): Promise<string | null> {
  const list = join(COMPAT, 'jvm', `${client}.xml`);
  const hash = Bun.hash(await Bun.file(list).text()).toString(36);
  const folder = join(CACHE, `compat-${client}-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'jars-'));
  const [pom, jars] = [join(work, 'pom.xml'), join(work, 'jars')];
  cpSync(list, pom);
  // A half of them is never found under the final name.
  const isThere = await succeeds(['mvn', '-q', '-B', '-f', pom, COPY, `-DoutputDirectory=${jars}`]);
  try {
    if (isThere) renameSync(jars, folder);
  } catch (thrown) {
    // Another file's tests were quicker.
    if (!existsSync(folder)) throw thrown;
  }
  rmSync(work, { recursive: true, force: true });
  return isThere ? folder : null;
}

/** The folders of jars, by client; null after saying what is missing. */
export async function findJvmClients(): Promise<ReadonlyMap<string, string> | null> {
  const found = new Map<string, string>();
  const hasJava = await succeeds(['java', '-version']);
  for (const client of hasJava ? JVM_CLIENTS : []) {
    const jars = await findJars(client);
    if (jars !== null) found.set(client, jars);
  }
  if (found.size === JVM_CLIENTS.length) return found;
  console.log('not run: clients for the JVM (needs Java and Maven, and Maven Central).');
  return null;
}

/** The command that runs a client's program from its source, trusting the certificates of a store. */
export const jvmCommand = (client: string, jars: string, trusted: string): string[] => [
  'java',
  '-XX:TieredStopAtLevel=1',
  `-Djavax.net.ssl.trustStore=${trusted}`,
  `-Djavax.net.ssl.trustStorePassword=${STORE_PASSWORD}`,
  '-cp',
  join(jars, '*'),
  join(COMPAT, 'clients', `${client}.java`),
];
