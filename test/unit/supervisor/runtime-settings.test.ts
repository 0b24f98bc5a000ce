import { describe, expect, test } from 'bun:test';
import { runtimeSettings } from '../../../src/launcher/runtime-settings.ts';

const MB = 1024 * 1024;

describe('the settings of engine and allocator', () => {
  test('let the API and the worker collect garbage early, and nobody else', () => {
    expect(runtimeSettings('api')).toMatchObject({ BUN_JSC_forceRAMSize: String(384 * MB) });
    expect(runtimeSettings('worker')).toEqual({ BUN_JSC_forceRAMSize: String(192 * MB) });
    expect(runtimeSettings('compactor')).not.toContainKey('BUN_JSC_forceRAMSize');
  });

  test('let the compactor keep freed blocks, in bounds', () => {
    expect(runtimeSettings('compactor')).toEqual({
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: String(32 * MB),
      MALLOC_TRIM_THRESHOLD_: String(256 * MB),
    });
    expect(runtimeSettings('query')).toEqual({});
  });

  test('let the API collect what is young twice before all of it is due', () => {
    expect(runtimeSettings('api')).toMatchObject({
      BUN_JSC_mediumHeapGrowthFactor: '2',
      BUN_JSC_largeHeapGrowthFactor: '2',
    });
  });

  test.each(['api', 'worker'] as const)(
    'of the %s are known to this release of Bun and leave the heap free to grow',
    async (role) => {
      const script = `const kept = Array.from({ length: 40 }, () => new Array(1e6).fill(0.5));
      console.log(kept.length);`;
      const child = Bun.spawn([process.execPath, '-e', script], {
        env: { ...process.env, ...runtimeSettings(role) },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [output, complaints] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(complaints).toBe('');
      expect(output).toBe('40\n');
    },
  );
});
