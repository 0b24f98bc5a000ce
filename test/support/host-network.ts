import { afterAll } from 'bun:test';

export type HostNetwork = {
  /** Where the processes of the host listen. */
  address: string;
  /** This machine as the host sees it. */
  gateway: string;
  /** Runs a command on the host. */
  within: readonly string[];
};

const ip = (...args: string[]) => Bun.spawnSync(['ip', ...args], { stderr: 'pipe' }).exitCode === 0;

/** A network namespace with one cable to this machine; null where they cannot be made. */
function openNamespace(index: number): HostNetwork | null {
  const id = `${process.pid.toString(36)}${index}`;
  const [name, outer, inner] = [`mcp-${id}`, `mo${id}`, `mi${id}`];
  const net = `10.231.${process.pid % 200}`;
  const gateway = `${net}.${4 * index + 1}`;
  const address = `${net}.${4 * index + 2}`;
  if (process.getuid?.() !== 0 || Bun.which('ip') === null || !ip('netns', 'add', name))
    return null;
  afterAll(() => {
    ip('link', 'del', outer);
    ip('netns', 'del', name);
  });
  const isUp =
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name) &&
    ip('addr', 'add', `${gateway}/30`, 'dev', outer) &&
    ip('link', 'set', outer, 'up') &&
    ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', inner) &&
    ip('-n', name, 'link', 'set', inner, 'up') &&
    ip('-n', name, 'link', 'set', 'lo', 'up');
  return isUp ? { address, gateway, within: ['ip', 'netns', 'exec', name] } : null;
}

/** Hosts in network namespaces of their own, or on loopback addresses after saying so. */
export function openHostNetworks(count: number): HostNetwork[] {
  const hosts: HostNetwork[] = [];
  for (let index = 0; index < count; index += 1) {
    const host = openNamespace(index);
    if (host) hosts.push(host);
  }
  if (hosts.length === count) return hosts;
  console.log(
    'not run: network namespaces (they need root and ip); hosts are on loopback addresses',
  );
  return Array.from({ length: count }, (_, index) => ({
    address: `127.0.0.${index + 2}`,
    gateway: '127.0.0.1',
    within: [],
  }));
}
