import { describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isFree } from '../../../src/launcher/embedded/ports.ts';
import { RememberedPorts, withFreePorts } from '../../../src/launcher/remembered-ports.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'ports-')), 'deep', 'ports.json');

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

describe('ports of embedded servers', () => {
  test('are the same at the next start', async () => {
    const path = newFile();
    const first = await RememberedPorts.open(path);
    const chosen = [await first.pick('a'), await first.pick('b')];
    await first.save();
    const second = await RememberedPorts.open(path);
    expect([await second.pick('a'), await second.pick('b')]).toEqual(chosen);
  });

  test('are others when another program has taken them', async () => {
    const path = newFile();
    const first = await RememberedPorts.open(path);
    const port = await first.pick('a');
    await first.save();
    const other = await listen(port);
    const again = await (await RememberedPorts.open(path)).pick('a');
    expect(again).not.toBe(port);
    expect(await isFree(again)).toBe(true);
    other.close();
  });

  test('prefer what is usual, and fall back', async () => {
    const preferred = await freePort();
    expect(await (await RememberedPorts.open(newFile())).pick('ui', { preferred })).toBe(preferred);
    const other = await listen(preferred);
    const fallback = await (await RememberedPorts.open(newFile())).pick('ui', { preferred });
    expect(fallback).not.toBe(preferred);
    other.close();
  });

  test('a configured one is taken or refused, never replaced', async () => {
    const port = await freePort();
    const configured = { variable: 'TEMPORAL_UI_PORT', port };
    const ports = await RememberedPorts.open(newFile());
    expect(await ports.pick('ui', { configured })).toBe(port);
    const other = await listen(port);
    expect(ports.pick('ui', { configured })).rejects.toThrow(`TEMPORAL_UI_PORT ${port} is taken`);
    other.close();
  });

  test('a damaged file is as good as none', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'ports-')), 'ports.json');
    for (const text of ['', '{"a":', '{"a":"x"}', '[1]', '{"a":70000}']) {
      writeFileSync(path, text);
      expect(await (await RememberedPorts.open(path)).pick('a')).toBeGreaterThan(0);
    }
  });
});

describe('a start on chosen ports', () => {
  const chooser = (choices: number[]) => async () =>
    choices.length > 1 ? choices.shift()! : choices[0]!;

  test('is tried again with others when they were taken in between', async () => {
    const tried: number[] = [];
    const result = await withFreePorts(chooser([1, 2, 3]), async (port) => {
      tried.push(port);
      if (port < 3) throw new Error('taken');
      return `on ${port}`;
    });
    expect(result).toBe('on 3');
    expect(tried).toEqual([1, 2, 3]);
  });

  test('that fails for another reason fails at once', async () => {
    let starts = 0;
    const start = async () => {
      starts += 1;
      throw new Error('no disk');
    };
    await expect(withFreePorts(chooser([1]), start)).rejects.toThrow('no disk');
    expect(starts).toBe(1);
  });

  test('gives up after a few', async () => {
    let port = 0;
    const start = async () => {
      throw new Error('taken');
    };
    await expect(withFreePorts(async () => (port += 1), start)).rejects.toThrow('taken');
    expect(port).toBeLessThan(10);
  });
});
