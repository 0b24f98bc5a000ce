import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Architecture = 'amd64' | 'arm64';

const RELEASE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const ARCHIVES = [
  `http://deb.debian.org/debian ${RELEASE}`,
  `http://deb.debian.org/debian ${RELEASE}-updates`,
  `http://deb.debian.org/debian-security ${RELEASE}-security`,
];
/** Libraries and programs that Bun, PostgreSQL, Temporal and the launcher need, and nothing setuid. */
const PACKAGES = [
  ...['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'tini', 'dash', 'coreutils'],
  ...['libacl1', 'libattr1', 'libcap2', 'libgmp10', 'libpcre2-8-0', 'libselinux1'],
  ...['libssl3t64', 'libsystemd0', 'libzstd1', 'zlib1g'],
  ...['ca-certificates', 'netbase', 'tzdata'],
];

export function run(command: readonly string[], cwd = '/'): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}${stdout}`);
  return stdout.toString();
}

/** Of its own lists and state, so that this machine's are neither used nor changed. */
function aptOf(folder: string, architecture: Architecture): string[] {
  for (const name of ['lists/partial', 'cache/archives/partial', 'packages']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const sources = ARCHIVES.map((archive) => `deb [signed-by=${KEYRING}] ${archive} main\n`);
  writeFileSync(join(folder, 'sources.list'), sources.join(''));
  writeFileSync(join(folder, 'status'), '');
  const options = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
  };
  return [
    'apt-get',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  ];
}

/** Unpacks the packages; scanners read their names and versions in `status.d`. */
export function unpackDebian(root: string, folder: string, architecture: Architecture): void {
  const apt = aptOf(folder, architecture);
  run([...apt, '--error-on=any', 'update']);
  const packages = join(folder, 'packages');
  run([...apt, 'download', ...PACKAGES], packages);
  const status = join(root, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  // The links of a merged /usr come with base-files.
  const found = readdirSync(packages).toSorted();
  for (const name of found) {
    run(['dpkg-deb', '-x', join(packages, name), root]);
    const control = run(['dpkg-deb', '-f', join(packages, name)]);
    writeFileSync(join(status, name.split('_')[0] ?? name), control);
  }
}
