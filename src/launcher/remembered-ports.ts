import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { writeDurably } from '../storage/files.ts';
import { freePort, isFree } from './embedded/ports.ts';

const Ports = Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 65_535 }));
const ports = parser(Ports, 'remembered ports');

export type PortPreference = {
  configured?: { variable: string; port: number } | undefined;
  preferred?: number;
};

async function readPorts(path: string): Promise<Record<string, number>> {
  try {
    return ports.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}

export class RememberedPorts {
  private constructor(
    private readonly path: string,
    private readonly known: Record<string, number>,
  ) {}

  static async open(path: string): Promise<RememberedPorts> {
    return new RememberedPorts(path, await readPorts(path));
  }

  async pick(name: string, { configured, preferred }: PortPreference = {}): Promise<number> {
    if (configured && !(await isFree(configured.port))) {
      const { variable, port } = configured;
      throw new Error(`${variable} ${port} is taken by another program. Set another one.`);
    }
    const candidates = [this.known[name], preferred].filter((port) => port !== undefined);
    const port = configured?.port ?? (await freePort(candidates));
    this.known[name] = port;
    return port;
  }

  async save(): Promise<void> {
    const text = `${JSON.stringify(this.known, null, 2)}\n`;
    await writeDurably(this.path, Buffer.from(text)).catch(() => undefined);
  }
}

const ATTEMPTS = 4;

/** Another program may take a chosen one. */
export async function withFreePorts<P, T>(
  choose: () => Promise<P>,
  start: (ports: P) => Promise<T>,
): Promise<T> {
  let ports = await choose();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(ports);
    } catch (error) {
      const others = await choose();
      if (attempt === ATTEMPTS || Bun.deepEquals(ports, others)) throw error;
      ports = others;
    }
  }
}
