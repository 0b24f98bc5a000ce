import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Glob } from 'bun';
import { ensureInstalled } from './install.ts';

const USAGE = `Usage: bun scripts/one-root.ts FOLDER [amd64|arm64]

Assembles in FOLDER, which must not be there yet, the root file system of the image that is a whole
installation: Debian's packages, Bun, Temporal, and the service with its PostgreSQL. Needs root, apt-get
and dpkg-deb. deploy/one/Dockerfile does the rest.`;

const ACCOUNT = 1_000;
const FOLDERS = ['dev', 'proc', 'sys', 'run', 'tmp', 'data', 'root', 'home/bun', 'usr/local/bin'];
const FILES = {
  'etc/passwd': `root:x:0:0::/root:/bin/sh\nbun:x:${ACCOUNT}:${ACCOUNT}::/home/bun:/bin/sh\n`,
  'etc/group': `root:x:0:\nbun:x:${ACCOUNT}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  // Places of files that a container is given.
  'etc/hosts': '',
  'etc/hostname': '',
  'etc/resolv.conf': '',
};

function settle(root: string): void {
  for (const name of FOLDERS) mkdirSync(join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const name of ['data', 'home/bun']) chownSync(join(root, name), ACCOUNT, ACCOUNT);
  const authorities = join(root, 'usr/share/ca-certificates');
  const found = [...new Glob('**/*.crt').scanSync(authorities)].toSorted();
  const bundle = found.map((name) => readFileSync(join(authorities, name), 'utf8')).join('');
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), bundle);
}

async function assemble(root: string, architecture: 'amd64' | 'arm64'): Promise<void> {
  const { unpackDebian } = await import('./one/debian.ts');
  const { copyApp, copyBun, copyTemporal } = await import('./one/app.ts');
  const { elfFaults } = await import('./one/elf.ts');
  const folder = mkdtempSync(join(tmpdir(), 'one-'));
  try {
    mkdirSync(root);
    unpackDebian(root, folder, architecture);
    settle(root);
    copyBun(root, folder, architecture);
    await copyTemporal(root, architecture);
    copyApp(root, architecture);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { seen, faults } = elfFaults(root, architecture);
  if (faults.length > 0) throw new Error(`Programs that would not run:\n${faults.join('\n')}`);
  console.error(`${root}: ${seen} programs and libraries of ${architecture}`);
}

const [folder, architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'] = process.argv.slice(2);
if (folder === undefined || (architecture !== 'amd64' && architecture !== 'arm64')) {
  console.error(USAGE);
  process.exit(2);
}
await ensureInstalled('run');
await assemble(resolve(folder), architecture);
