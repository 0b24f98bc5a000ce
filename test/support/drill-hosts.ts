import { rm } from 'node:fs/promises';
import { at } from '../../src/shared/assert.ts';
import { type Instance, newDataDir, startInstance } from './instance.ts';

/** A host at an address that stays, with a disk of its own. */
export class DrillHost {
  dataDir = newDataDir();
  private instance: Instance | null = null;

  constructor(readonly port: number) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** `port`: another one than that of clients and Prometheus. */
  async start(env: Record<string, string>, port = this.port): Promise<Instance> {
    const { dataDir } = this;
    this.instance = await startInstance({ dataDir, env: { ...env, PORT: String(port) } });
    return this.instance;
  }

  async stop(): Promise<void> {
    await this.instance?.stop();
    this.instance = null;
  }

  /** SIGKILL for everything at once, and its disk is gone: the next start is of a new host. */
  async lose(): Promise<void> {
    if (!this.instance) return;
    const children = Object.values(this.instance.children());
    this.instance.kill('SIGKILL');
    for (const pid of children) process.kill(pid, 'SIGKILL');
    await this.instance.exited;
    this.instance = null;
    await rm(this.dataDir, { recursive: true, force: true });
    this.renew();
  }

  /** The next start is on an empty disk. */
  renew(): void {
    this.dataDir = newDataDir();
  }
}

/** Each request to the next host, as a load balancer does; a client asks again where none answers. */
export function inTurn(hosts: readonly DrillHost[]): () => string {
  let turn = 0;
  return () => {
    turn += 1;
    return at(hosts, turn % hosts.length).url;
  };
}
