import { $ } from 'bun';
import { join } from 'node:path';
import { ROOT } from './install.ts';

/**
 * Remakes the schema of the simulator of Google Play: the methods in use, and the
 * schemas that they reach, of Google's discovery document out of its Go module.
 */
const MODULE = 'google.golang.org/api@v0.314.0';
const DOCUMENT = 'androidpublisher/v3/androidpublisher-api.json';
const OUTPUT = join(ROOT, 'test/simulators/play-store/google-schema.json');
const IN_USE: ReadonlySet<string> = new Set([
  'androidpublisher.monetization.subscriptions.get',
  'androidpublisher.orders.batchget',
  'androidpublisher.orders.get',
  'androidpublisher.orders.reviewrefund',
  'androidpublisher.purchases.products.acknowledge',
  'androidpublisher.purchases.productsv2.getproductpurchasev2',
  'androidpublisher.purchases.subscriptions.acknowledge',
  'androidpublisher.purchases.subscriptionsv2.get',
  'androidpublisher.purchases.voidedpurchases.list',
]);
const WORDS: ReadonlySet<string> = new Set(['description', 'enumDescriptions', 'enumDeprecated']);

type Node = { [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property may have the name `description`, and is no text then. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isNode(value)) return value;
  const kept = Object.entries(value).filter(([key, one]) => !(WORDS.has(key) && !isNode(one)));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutWords(one)]));
}

function* methodsOf(resources: unknown): Generator<Node> {
  for (const resource of isNode(resources) ? Object.values(resources) : []) {
    if (!isNode(resource)) continue;
    yield* isNode(resource.methods) ? Object.values(resource.methods).filter(isNode) : [];
    yield* methodsOf(resource.resources);
  }
}

function* refsOf(value: unknown): Generator<string> {
  for (const [key, one] of Object.entries(value ?? {})) {
    if (key === '$ref' && typeof one === 'string') yield one;
    else if (typeof one === 'object') yield* refsOf(one);
  }
}

function reached(from: unknown, schemas: Node): Node {
  const found = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    for (const name of refsOf(value)) {
      if (found.has(name)) continue;
      found.set(name, schemas[name]);
      visit(schemas[name]);
    }
  };
  visit(from);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const { Dir } = await $`go mod download -json ${MODULE}`.cwd('/tmp').json();
const document = await Bun.file(join(Dir, DOCUMENT)).json();
const methods = [...methodsOf(document.resources)].filter(({ id }) => IN_USE.has(String(id)));
if (methods.length !== IN_USE.size) throw new Error('A method in use is not in the document.');
const kept = {
  origin: `${MODULE} ${DOCUMENT}`,
  ...{ id: document.id, revision: document.revision, rootUrl: document.rootUrl },
  parameters: document.parameters,
  methods,
  schemas: reached(methods, document.schemas),
};
await Bun.write(OUTPUT, `${JSON.stringify(withoutWords(kept))}\n`);
await $`biome format --write ${OUTPUT}`.quiet();
