import { dlopen, FFIType, ptr } from 'bun:ffi';
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { createConnection } from 'node:net';
import { DuckDBInstance } from '@duckdb/node-api';
import { confine } from '../../src/sql/sandbox/confine.ts';

/**
 * Runs in the sandbox in place of a question: DuckDB without its own locks, and Bun. Says for each
 * way out whether it led anywhere.
 */
const asked = JSON.parse(fs.readFileSync('question.json', 'utf8'));
const { secretFile, writable, port, parent } = asked.parameters;
const duck = await DuckDBInstance.create(':memory:');
const connection = await duck.connect();
const { symbols } = dlopen('libc.so.6', {
  syscall: { args: Array.from({ length: 7 }, () => FFIType.i64), returns: FFIType.i64 },
});
const call = (...args: number[]) => {
  const [n = 0, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
  const answered = Number(symbols.syscall(n, a, b, c, d, e, f));
  if (answered < 0) throw new Error('refused');
};
const path = Buffer.from(`${secretFile}\0`);
confine();

const sql = (text: string) => () => connection.run(text);
const WAYS: Record<string, () => unknown> = {
  'read a file': () => fs.readFileSync(secretFile),
  'list a folder': () => fs.readdirSync('/tmp'),
  'read /etc/passwd': () => fs.readFileSync('/etc/passwd'),
  'environment of the parent': () => fs.readFileSync(`/proc/${parent}/environ`),
  'memory of the parent': () => fs.openSync(`/proc/${parent}/mem`, 'r'),
  'write a file': () => fs.writeFileSync(writable, 'x'),
  'write beside the question': () => fs.writeFileSync('new.txt', 'x'),
  'truncate a file': () => fs.truncateSync('question.json', 0),
  'remove a file': () => fs.rmSync('question.json'),
  'rename a file': () => fs.renameSync('question.json', 'other.json'),
  'link a file': () => fs.symlinkSync('/etc/passwd', 'link'),
  'make a folder': () => fs.mkdirSync('folder'),
  'change rights': () => fs.chmodSync('question.json', 0o777),
  'start a program': () => execFileSync('/bin/true'),
  'start Bun': () => execFileSync(process.execPath, ['--version']),
  'start a process': () =>
    new Promise((resolve, reject) => {
      spawn('/bin/true').on('error', reject).on('exit', resolve);
    }),
  'kill the parent': () => process.kill(parent, 0),
  'connect by IP': () =>
    new Promise((resolve, reject) => {
      createConnection({ host: '127.0.0.1', port }).on('error', reject).on('connect', resolve);
    }),
  'fetch by HTTP': () => fetch(`http://127.0.0.1:${port}/`),
  listen: () => Bun.serve({ port: 0, fetch: () => new Response('') }),
  socket: () => call(process.arch === 'x64' ? 41 : 198, 2, 1, 0),
  socketpair: () => call(process.arch === 'x64' ? 53 : 199, 1, 1, 0, ptr(new Uint8Array(8))),
  io_uring: () => call(425, 8, ptr(new Uint8Array(256))),
  openat2: () => call(437, -100, ptr(path), ptr(new Uint8Array(24)), 24),
  ptrace: () => call(process.arch === 'x64' ? 101 : 117, 16, parent),
  process_vm_readv: () => call(process.arch === 'x64' ? 310 : 270, parent),
  pidfd_open: () => call(434, parent, 0),
  unshare: () => call(process.arch === 'x64' ? 272 : 97, 0x1000_0000),
  mount: () => call(process.arch === 'x64' ? 165 : 40),
  bpf: () => call(process.arch === 'x64' ? 321 : 280, 0, ptr(new Uint8Array(128)), 128),
  keyctl: () => call(process.arch === 'x64' ? 250 : 219, 0, -3, 1),
  'shared memory': () => call(process.arch === 'x64' ? 29 : 194, 1234, 4096, 0o1666),
  fork: () => call(process.arch === 'x64' ? 57 : 220, 17),
  clone3: () => call(435, ptr(new Uint8Array(88)), 88),
  'signals to the parent by a file': () => call(process.arch === 'x64' ? 72 : 25, 1, 8, parent),
  'a new limit': () =>
    call(process.arch === 'x64' ? 302 : 261, parent, 7, ptr(new Uint8Array(16)), 0),
  'DuckDB reads a file': sql(`SELECT * FROM read_text('${secretFile}')`),
  'DuckDB lists files': sql(
    "SELECT CASE count(*) WHEN 0 THEN error('none') END FROM glob('/tmp/*')",
  ),
  'DuckDB reads CSV': sql("SELECT * FROM read_csv('/etc/passwd')"),
  'DuckDB writes a file': sql(`COPY (SELECT 1) TO '${writable}'`),
  'DuckDB writes beside the question': sql("COPY (SELECT 1) TO 'copy.csv'"),
  'DuckDB attaches a database': sql(`ATTACH '${writable}' AS other`),
  'DuckDB exports': sql(`EXPORT DATABASE '${writable}'`),
  'DuckDB installs an extension': sql('INSTALL httpfs'),
  'DuckDB loads an extension': sql(`LOAD '${secretFile}'`),
  'DuckDB asks the network': sql(`SELECT * FROM read_csv('http://127.0.0.1:${port}/x.csv')`),
};

const ways: Record<string, boolean> = {};
for (const [name, way] of Object.entries(WAYS)) {
  try {
    await Promise.race([
      way(),
      new Promise((_, reject) => {
        setTimeout(() => reject(new Error('no answer')), 1_000);
      }),
    ]);
    ways[name] = true;
  } catch {
    ways[name] = false;
  }
}
// What it needs to work at all is there.
ways['a sum by threads'] = await connection.run('SELECT sum(i) FROM range(3000000) t(i)').then(
  () => true,
  () => false,
);
const [, state = ''] = fs.readFileSync('/proc/self/stat', 'utf8').split(') ');
const { user, system } = process.cpuUsage();
const usedSeconds = (user + system) / 1e6;
const niceness = Number(state.split(' ')[16]);
fs.writeSync(
  1,
  JSON.stringify({ ways, environment: Object.keys(process.env), niceness, usedSeconds }),
);
process.exit(0);
