import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { must } from '../../src/shared/assert.ts';
import { SECOND_MS } from '../../src/shared/time.ts';
import type { Container, Manifest, PodSpec, Probe } from './helm.ts';
import { processesOf, startEnvironment } from './instance.ts';
import { ROOT } from './sources.ts';
import { keepSaid, readText } from './streams.ts';
import { pause } from './pause.ts';

/** How long routes to a pod go on after it was told to stop, as those of kube-proxy do. */
const ROUTES_LAG_MS = 500;
const PROBE_EVERY_MS = 500;
const START_WITHIN_MS = 180 * SECOND_MS;

export type Cluster = {
  /** What the Secret has. */
  secret: Record<string, string>;
  /** What every container is given beside, such as the address of a bucket on this machine. */
  env: Record<string, string>;
  folder: string;
};

const specOf = ({ spec }: Manifest): PodSpec => must(spec.template, 'pods').spec;
const containerOf = (manifest: Manifest): Container =>
  must(specOf(manifest).containers[0], 'a container');

function portOf({ ports = [] }: Container, name: string): number {
  return must(
    ports.find((port) => port.name === name),
    `port ${name}`,
  ).containerPort;
}

const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: SECOND_MS });
    const end = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });

let lastAddress = 1;

/** One process group of a manifest's container, at an address of its own. */
export class Pod {
  readonly address: string;
  private readonly container: Container;
  private child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null;

  constructor(
    private readonly cluster: Cluster,
    readonly manifest: Manifest,
    /** Its volume has this name; a successor with the same name has it too. */
    readonly volume: string,
    private readonly release: Record<string, string> = {},
  ) {
    lastAddress += 1;
    this.address = `127.0.5.${lastAddress}`;
    this.container = containerOf(manifest);
  }

  get url(): string {
    return `http://${this.address}:${portOf(this.container, 'http')}`;
  }

  private variables(): Record<string, string> {
    const { secret, env, folder } = this.cluster;
    const dataDir = join(folder, this.volume);
    mkdirSync(dataDir, { recursive: true });
    const own = Object.fromEntries(this.container.env.map(({ name, value }) => [name, value]));
    return {
      ...startEnvironment(dataDir),
      ...own,
      ...secret,
      ...env,
      ...this.release,
      DATA_DIR: dataDir,
      HOST: this.address,
    };
  }

  /** As the image does: the supervisor itself. */
  private async passes({ httpGet, tcpSocket }: Probe): Promise<boolean> {
    if (tcpSocket) return isOpen(this.address, portOf(this.container, tcpSocket.port));
    const { path, port } = must(httpGet, 'a probe');
    const url = `http://${this.address}:${portOf(this.container, port)}${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(5 * SECOND_MS) }).catch(
      () => null,
    );
    return answer?.ok === true;
  }

  async start(): Promise<this> {
    const child = Bun.spawn([process.execPath, 'src/main.ts'], {
      cwd: ROOT,
      env: this.variables(),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.child = child;
    const name = `${this.volume} ${child.pid}`;
    for (const stream of [child.stdout, child.stderr]) {
      void readText(stream, (text) => keepSaid(name, text));
    }
    const until = performance.now() + START_WITHIN_MS;
    const probe = must(this.container.startupProbe, 'a startup probe');
    while (!(await this.passes(probe))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}.`);
      if (performance.now() > until) throw new Error(`${name} did not start.`);
      await pause(PROBE_EVERY_MS, 'before the next probe');
    }
    return this;
  }

  /** preStop, SIGTERM, and SIGKILL once its grace is over, which throws. */
  async stop(): Promise<void> {
    const child = must(this.child, 'a pod that runs');
    const { terminationGracePeriodSeconds = 30 } = specOf(this.manifest);
    const [, seconds = '0'] = this.container.lifecycle?.preStop.exec.command ?? [];
    await pause(Number(seconds) * SECOND_MS, 'the preStop hook of the chart');
    child.kill('SIGTERM');
    const left = (terminationGracePeriodSeconds - Number(seconds)) * SECOND_MS;
    const ended = await Promise.race([
      child.exited,
      pause(left, 'terminationGracePeriodSeconds').then(() => null),
    ]);
    if (ended !== null) return;
    child.kill('SIGKILL');
    throw new Error(`${this.volume} outlived its grace of ${terminationGracePeriodSeconds} s.`);
  }

  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** With its node: every process at once, and the disk. */
  async lose(): Promise<void> {
    const dataDir = join(this.cluster.folder, this.volume);
    for (const pid of processesOf(dataDir)) {
      if (pid !== process.pid) killNow(pid);
    }
    await this.child?.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The pods of a manifest, and the routes to those that are ready. */
export class PodSet {
  private pods: Pod[] = [];
  private made = 0;
  private release: Record<string, string> = {};

  constructor(
    private readonly cluster: Cluster,
    readonly manifest: Manifest,
    private readonly onRoutes: (urls: string[]) => void = () => undefined,
  ) {}

  private get isStateful(): boolean {
    return this.manifest.kind === 'StatefulSet';
  }

  private make(ordinal: number): Pod {
    this.made += 1;
    const { name } = this.manifest.metadata;
    const volume = this.isStateful ? `${name}-${ordinal}` : `${name}-of-${this.made}`;
    return new Pod(this.cluster, this.manifest, volume, this.release);
  }

  urls(): string[] {
    return this.pods.map(({ url }) => url);
  }

  async start(): Promise<void> {
    const count = must(this.manifest.spec.replicas, 'replicas');
    const pods = Array.from({ length: count }, (_, ordinal) => this.make(ordinal));
    this.pods = await Promise.all(pods.map((pod) => pod.start()));
    if (this.isStateful) this.onRoutes(this.urls());
  }

  /** As a StatefulSet does, from the last pod to the first, or as a Deployment with one to spare. */
  async rollOut(release: Record<string, string>): Promise<void> {
    this.release = release;
    const readyMs = Number(this.manifest.spec.minReadySeconds ?? 0) * SECOND_MS;
    for (let ordinal = this.pods.length - 1; ordinal >= 0; ordinal -= 1) {
      const old = must(this.pods[ordinal], 'a pod');
      const successor = this.make(ordinal);
      if (this.isStateful) {
        this.routeTo(this.pods.filter((pod) => pod !== old));
        await old.stop();
        await successor.start();
      } else {
        await successor.start();
        await old.stop();
      }
      this.pods[ordinal] = successor;
      if (this.isStateful) this.onRoutes(this.urls());
      await pause(readyMs, 'minReadySeconds');
    }
  }

  /** The pod on a node that is lost, and its successor on another one. */
  async loseOne(): Promise<void> {
    const lost = must(this.pods[0], 'a pod');
    if (this.isStateful) this.routeTo(this.pods.slice(1));
    await lost.lose();
    const successor = this.make(0);
    await successor.start();
    this.pods[0] = successor;
    if (this.isStateful) this.onRoutes(this.urls());
  }

  /** By `kubectl scale`: to none, then `during`, then as many as before. */
  async whileNone(during: () => Promise<void>): Promise<void> {
    await Promise.all(this.pods.map((pod) => pod.stop()));
    await during();
    this.pods = await Promise.all(this.pods.map((_, ordinal) => this.make(ordinal).start()));
    if (this.isStateful) this.onRoutes(this.urls());
  }

  private routeTo(pods: readonly Pod[]): void {
    const urls = pods.map(({ url }) => url);
    setTimeout(() => this.onRoutes(urls), ROUTES_LAG_MS);
  }

  kill(): void {
    for (const pod of this.pods) pod.kill();
  }
}

/** A Job's command, or another one of the operator in its place, to its end. */
export async function runJob(
  cluster: Cluster,
  manifest: Manifest,
  command = must(containerOf(manifest).command, 'a command'),
): Promise<number> {
  const container = containerOf(manifest);
  const [, ...words] = command;
  const dataDir = join(cluster.folder, manifest.metadata.name);
  mkdirSync(dataDir, { recursive: true });
  const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    env: {
      ...startEnvironment(dataDir),
      ...own,
      ...cluster.secret,
      ...cluster.env,
      DATA_DIR: dataDir,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  return child.exited;
}
