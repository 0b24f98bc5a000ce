import { isIP } from 'node:net';

const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const CALLER_GROUPS = 4;
const SITE_GROUPS = 3;
const GROUPS = 8;
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

const dotted = (groups: readonly string[]): string =>
  groups
    .flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    })
    .join('.');
const undotted = (ipv4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** Eight groups without leading zeros. */
function toGroups(address: string): string[] {
  const plain = address.replace(/\d+\.\d+\.\d+\.\d+$/, undotted);
  const [before = [], after = []] = plain
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** Strips port, brackets and zone; maps IPv4-in-IPv6. */
export function parseAddress(text: string): string | null {
  const bare = BRACKETED.exec(text)?.[1] ?? IPV4_WITH_PORT.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return address;
  const groups = toGroups(address);
  const isMapped = groups.slice(0, GROUPS - 2).join(':') === MAPPED_PREFIX;
  return isMapped ? dotted(groups.slice(-2)) : address.toLowerCase();
}

/** 4 or 16 bytes; null for other text. */
export function addressBytes(address: string): Uint8Array | null {
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return Uint8Array.from(address.split('.'), Number);
  return new Uint8Array(
    toGroups(address).flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    }),
  );
}

/** IPv4, or the /64 of IPv6. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${toGroups(address).slice(0, CALLER_GROUPS).join(':')}::/64`;
}

/** The /48, possibly one customer; null for IPv4. */
export function addressSite(address: string): string | null {
  if (isIP(address) !== 6) return null;
  return `${toGroups(address).slice(0, SITE_GROUPS).join(':')}::/48`;
}

/** Clients can forge earlier entries. */
export function clientAddress(
  headers: Headers,
  socketAddress: string | undefined,
  trustedProxies: number,
): string {
  const direct = parseAddress(socketAddress ?? '') ?? 'unknown';
  if (trustedProxies === 0) return direct;
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  // Each proxy appends the address it saw; ours are last.
  return parseAddress(forwarded.at(-trustedProxies) ?? '') ?? direct;
}
