import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/sources.ts';

const unit = readFileSync(join(ROOT, 'deploy/systemd/control-plane.service'), 'utf8');
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

test('the unit can be enabled, is not root, and lets the supervisor stop the others', () => {
  expect(settingOf('WantedBy')).toBe('multi-user.target');
  expect(settingOf('User')).toBe('control-plane');
  expect(settingOf('After')).toBe('network-online.target');
  expect(settingOf('Wants')).toBe('network-online.target');
  expect(settingOf('KillMode')).toBe('mixed');
  // Longer than the supervisor takes at most.
  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(10);
});

const analyze = Bun.which('systemd-analyze');
if (!analyze) console.log('not run: systemd on the unit (no systemd-analyze)');

describe.skipIf(!analyze)('systemd itself', () => {
  test('takes the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    // What stands elsewhere on an operator's machine.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bun'), '#!/bin/sh\n', { mode: 0o755 });
    const path = join(folder, 'control-plane.service');
    writeFileSync(path, unit.replace('/usr/local/bin/bun', join(bin, 'bun')));
    const ran = Bun.spawnSync([analyze ?? '', 'verify', '--man=no', path]);
    const said = `${ran.stdout}${ran.stderr}`.split('\n').filter((line) => line.includes(path));
    expect({ code: ran.exitCode, said }).toEqual({ code: 0, said: [] });
  });
});
