import { join } from 'node:path';
import { encodeFilter, type Instruction } from '../../src/sql/sandbox/filter.ts';
import { address, listAddress, mustCall, textAddress } from '../../src/sql/sandbox/kernel.ts';
import { numberOf } from '../../src/sql/sandbox/system-calls.ts';
import { ROOT } from './sources.ts';

/** Becomes a question's process on a kernel that lacks one of the two walls: the last argument. */
const missing = process.argv.at(-1) === 'seccomp' ? 'seccomp' : 'landlock_create_ruleset';
const ENOSYS = 0x0005_0026;
const program: Instruction[] = [
  { code: 0x20, value: 0, ifTrue: 0, ifFalse: 0 },
  { code: 0x15, value: numberOf(missing) ?? 0, ifTrue: 0, ifFalse: 1 },
  { code: 0x06, value: ENOSYS, ifTrue: 0, ifFalse: 0 },
  { code: 0x06, value: 0x7fff_0000, ifTrue: 0, ifFalse: 0 },
];
const encoded = new BigUint64Array([
  BigInt(program.length),
  BigInt(address(encodeFilter(program))),
]);
mustCall('prctl', 38, 1);
mustCall('seccomp', 1, 1, address(new Uint8Array(encoded.buffer)));
mustCall(
  'execve',
  textAddress(process.execPath),
  listAddress([process.execPath, '--no-env-file', join(ROOT, 'src/sql/sandbox/enter.ts')]),
  listAddress([]),
);
