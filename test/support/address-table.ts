type Value = string | number | { [key: string]: Value };

const utf8 = (text: string) =>
  Buffer.concat([Buffer.from([0x40 + text.length]), Buffer.from(text)]);

function encode(value: Value): Buffer {
  if (typeof value === 'string') return utf8(value);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8(0xc4);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const entries = Object.entries(value);
  const parts = entries.flatMap(([name, one]) => [utf8(name), encode(one)]);
  return Buffer.concat([Buffer.from([0xe0 + entries.length]), ...parts]);
}

type Node = [number | Node | null, number | Node | null];

function put(root: Node, prefix: string, place: number): void {
  let node = root;
  for (const bit of prefix.slice(0, -1)) {
    const next = node[Number(bit)];
    const child: Node = Array.isArray(next) ? next : [null, null];
    node[Number(bit)] = child;
    node = child;
  }
  node[Number(prefix.at(-1))] = place;
}

/** A MaxMind DB file of prefixes in bits, for IPv4 in an IPv6 tree after 96 zeros. */
export function addressTable(
  entries: readonly (readonly [prefix: string, entry: Value])[],
  { recordSize = 24, ipVersion = 6 } = {},
): Buffer {
  const root: Node = [null, null];
  const data: Buffer[] = [];
  let length = 0;
  for (const [prefix, entry] of entries) {
    put(root, prefix, length);
    data.push(encode(entry));
    length += data.at(-1)?.length ?? 0;
  }
  const nodes: Node[] = [root];
  for (const node of nodes) nodes.push(...node.filter((child) => Array.isArray(child)));
  const toRecord = (child: Node[number]): number => {
    if (child === null) return nodes.length;
    return Array.isArray(child) ? nodes.indexOf(child) : nodes.length + 16 + child;
  };
  const tree = nodes.map(([left, right]) => {
    const digits = recordSize / 4;
    const [a, b] = [left, right].map((child) => toRecord(child).toString(16).padStart(digits, '0'));
    if (a === undefined || b === undefined) throw new Error('a node has two records');
    // The first digits of both share the byte between them.
    const hex = recordSize === 28 ? `${a.slice(1)}${a.charAt(0)}${b}` : a + b;
    return Buffer.from(hex, 'hex');
  });
  const metadata = encode({
    node_count: nodes.length,
    record_size: recordSize,
    ip_version: ipVersion,
    binary_format_major_version: 2,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([...tree, Buffer.alloc(16), ...data, marker, metadata]);
}

/** Its first `length` bits, as in a tree of IPv6. */
export function prefixOf(ipv4: string, length: number): string {
  const bits = ipv4.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return `${'0'.repeat(96)}${bits.join('').slice(0, length)}`;
}
