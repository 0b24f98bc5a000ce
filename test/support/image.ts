import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { ROOT } from './sources.ts';

export type Instruction = { name: string; rest: string };

export function readInstructions(text: string): Instruction[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  return lines.split('\n').flatMap((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, rest: rest.trim() }];
  });
}

/** A root file system, and what a container of it is started with. */
export type Image = {
  root: string;
  workdir: string;
  user: string;
  env: Record<string, string>;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
};

/** What stands in for the base image: programs that its RUN lines need, Bun, and their libraries. */
const PROGRAMS = ['sh', 'rm', 'find', 'uname', 'mkdir', 'chown', 'touch'];
const LIBRARIES = ['libstdc++.so.6', 'libgcc_s.so.1', 'libm.so.6', 'libdl.so.2', 'librt.so.1'];
const NAMES = ['libpthread.so.0', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'];
const SETTINGS = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/hosts'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const DEVICES = { null: [1, 3], zero: [1, 5], random: [1, 8], urandom: [1, 9] } as const;
const ACCOUNT = 1_000;

const run = (...words: string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words);
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return stdout.toString();
};

function copyFile(root: string, path: string, to = path): void {
  if (!existsSync(path)) return;
  mkdirSync(dirname(join(root, to)), { recursive: true });
  cpSync(realpathSync(path), join(root, to));
}

function copyProgram(root: string, path: string, to: string): void {
  copyFile(root, path, to);
  for (const [, library = ''] of run('ldd', path).matchAll(/(\/\S+) \(0x/g)) {
    copyFile(root, library);
  }
}

function makeBase(): string {
  const root = mkdtempSync(join(tmpdir(), 'image-'));
  chmodSync(root, 0o755);
  for (const name of PROGRAMS) copyProgram(root, Bun.which(name) ?? name, `/bin/${name}`);
  copyProgram(root, process.execPath, '/usr/local/bin/bun');
  const known = run('ldconfig', '-p');
  for (const name of [...LIBRARIES, ...NAMES]) {
    const [, path = ''] =
      new RegExp(`${name.replaceAll('+', '\\+')} .*=> (\\S+)`).exec(known) ?? [];
    copyFile(root, path);
  }
  for (const path of [...SETTINGS, CERTIFICATES]) copyFile(root, path);
  const people = `root:x:0:0::/root:/bin/sh\nbun:x:${ACCOUNT}:${ACCOUNT}::/home/bun:/bin/sh\n`;
  writeFileSync(join(root, 'etc/passwd'), people);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nbun:x:${ACCOUNT}:\n`);
  for (const folder of ['proc', 'dev', 'tmp', 'root', 'home/bun', 'cache']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  chmodSync(join(root, 'tmp'), 0o1777);
  chownSync(join(root, 'home/bun'), ACCOUNT, ACCOUNT);
  for (const [name, [major, minor]] of Object.entries(DEVICES)) {
    run('mknod', '-m', '666', join(root, 'dev', name), 'c', String(major), String(minor));
  }
  return root;
}

/** Mounts are its own, and end with it. `$0` root, `$1` cache of packages, `$2` user, `$3` folder. */
const ENTER = [
  'mount --rbind /proc "$0/proc"',
  '{ [ -e "$0/dev/null" ] || mount --rbind /dev "$0/dev"; }',
  '{ [ ! -d "$1" ] || [ ! -d "$0/cache" ] || mount --bind "$1" "$0/cache"; }',
  'root="$0" user="$2" folder="$3"',
  'shift 3',
  `exec ${Bun.which('chroot')} --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`,
].join(' && ');

/** The words that run a command in it. */
export function inside(image: Pick<Image, 'root' | 'workdir'>, user: string, words: string[]) {
  const cache = join(homedir(), '.bun/install/cache');
  const given = [image.root, cache, user, image.workdir, ...words];
  return ['unshare', '--mount', '/bin/sh', '-c', ENTER, ...given];
}

function runInside(image: Image, command: string[]): void {
  const words = inside(image, '0:0', command);
  const env = { PATH: '/usr/local/bin:/bin', HOME: '/root', ...image.env };
  const { exitCode, stderr } = Bun.spawnSync(words, {
    env: { ...env, BUN_INSTALL_CACHE_DIR: '/cache' },
  });
  if (exitCode !== 0) throw new Error(`RUN ${command.join(' ')}: ${stderr}`);
}

function copy(image: Image, rest: string, stages: ReadonlyMap<string, string>): void {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(?:--chown=\S+ )?(.*)$/.exec(rest) ?? [];
  const from = stage === undefined ? ROOT : (stages.get(stage) ?? '');
  const words = paths.split(' ');
  const to = words.pop() ?? '';
  const target = join(image.root, resolve(image.workdir, to));
  for (const path of words) {
    const isFolder = statSync(join(from, path)).isDirectory();
    const isInto = !isFolder && (words.length > 1 || to.endsWith('/'));
    const place = isInto ? join(target, basename(path)) : target;
    mkdirSync(isFolder ? place : dirname(place), { recursive: true });
    run('cp', stage === undefined ? '-aT' : '-alT', join(from, path), place);
  }
}

function apply(
  image: Image,
  { name, rest }: Instruction,
  stages: ReadonlyMap<string, string>,
): void {
  if (name === 'WORKDIR') {
    image.workdir = rest;
    mkdirSync(join(image.root, rest), { recursive: true });
  }
  if (name === 'COPY') copy(image, rest, stages);
  if (name === 'RUN') {
    const isList = rest.startsWith('[');
    runInside(image, isList ? JSON.parse(rest) : ['/bin/sh', '-c', rest]);
  }
  if (name === 'USER') image.user = rest;
  if (name === 'ENTRYPOINT') image.entrypoint = JSON.parse(rest);
  if (name === 'CMD') image.command = JSON.parse(rest);
  if (name === 'HEALTHCHECK') image.healthcheck = JSON.parse(/\[.*\]$/.exec(rest)?.[0] ?? '[]');
  if (name !== 'ENV') return;
  for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value;
}

function newImage(root: string): Image {
  const state = { workdir: '/', user: 'root', entrypoint: [], command: [], healthcheck: [] };
  return { root, env: {}, ...state };
}

const emptyRoot = () => mkdtempSync(join(tmpdir(), 'image-'));

/** Does what the lines of a Dockerfile say, without a daemon; the last stage. `made`: given stages. */
export function assembleImage(text: string, made: ReadonlyMap<string, string> = new Map()): Image {
  const stages = new Map(made);
  let image: Image | undefined;
  for (const instruction of readInstructions(text)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = ''] = instruction.rest.split(' ');
      image = undefined;
      if (made.has(name)) continue;
      image = newImage(base === 'scratch' ? emptyRoot() : makeBase());
      stages.set(name, image.root);
    } else if (image) apply(image, instruction, stages);
  }
  if (!image) throw new Error('The Dockerfile has no stage.');
  return image;
}

export const megabytes = (folder: string): number =>
  Math.round(Number(run('du', '-sb', folder).split('\t')[0]) / 1_000_000);
