import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { niced } from '../../../src/launcher/bun-process.ts';

test.skipIf(!existsSync('/proc/self/stat'))(
  'a process that gives way runs at a lower priority, and gets a third at least',
  async () => {
    const child = Bun.spawn(niced(['cat', '/proc/self/stat']), { stdout: 'pipe' });
    const output = await new Response(child.stdout).text();
    const afterName = output.slice(output.lastIndexOf(')') + 2).split(' ');
    expect(Number(afterName[16])).toBe(Math.min(getPriority() + 5, 19));
  },
);
