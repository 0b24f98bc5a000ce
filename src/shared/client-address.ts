import { isIP } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** The eight groups of an IPv6 address, without leading zeros; a dotted end stands for two. */
function groupsOf(address: string): string[] {
  const plain = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0');
  const [before = [], after = []] = plain
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}

/**
 * An address as a proxy or a socket wrote it, without port, brackets and zone; IPv4 in IPv6 is
 * IPv4. Null for what is no IP address.
 */
export function parseAddress(text: string): string | null {
  const bare = BRACKETED.exec(text)?.[1] ?? IPV4_WITH_PORT.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? address : (MAPPED_IPV4.exec(address)?.[1] ?? address.toLowerCase());
}

/**
 * The rate-limit key of a caller: an IPv4 address, or the /64 of an IPv6 one, which usually belongs
 * to one caller.
 */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/**
 * The address of the caller as reported by the trusted proxies. Ignores entries added before them
 * and anything that is no address.
 */
export function clientAddress(
  headers: Headers,
  socketAddress: string | undefined,
  trustedProxies: number,
): string {
  const direct = parseAddress(socketAddress ?? '') ?? 'unknown';
  if (trustedProxies === 0) return direct;
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  // Each proxy appends the address that it saw, so the last entries are those of ours.
  return parseAddress(forwarded.at(-trustedProxies) ?? '') ?? direct;
}
