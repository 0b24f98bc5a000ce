import { $ } from 'bun';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './install.ts';

/**
 * Remakes the schemas by which manifests and the compose file are checked: from Kubernetes' own
 * OpenAPI document, the Prometheus operator's definition and the Compose Specification, out of their
 * Go modules. Unknown fields of manifests are refused.
 */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.0';
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const COMPOSE = 'github.com/compose-spec/compose-go/v2@v2.9.0';
const FOLDER = join(ROOT, 'test/fixtures/kubernetes');
const KINDS = {
  'io.k8s.api.apps.v1.Deployment': 'apps/v1',
  'io.k8s.api.apps.v1.StatefulSet': 'apps/v1',
  'io.k8s.api.batch.v1.Job': 'batch/v1',
  'io.k8s.api.core.v1.Service': 'v1',
  'io.k8s.api.core.v1.ServiceAccount': 'v1',
  'io.k8s.api.networking.v1.Ingress': 'networking.k8s.io/v1',
  'io.k8s.api.networking.v1.NetworkPolicy': 'networking.k8s.io/v1',
  'io.k8s.api.policy.v1.PodDisruptionBudget': 'policy/v1',
} as const;
/** Either a number or text. */
const EITHER: Readonly<Record<string, unknown>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['number', 'string'] },
};

type Schema = { [key: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function folderOf(module: string): Promise<string> {
  const { Dir } = await $`go mod download -json ${module}`.cwd('/tmp').json();
  return Dir;
}

/** Without words, closed, and null where a field may be left out. */
function closed(schema: unknown, refs: (name: string) => string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, refs));
  if (!isSchema(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'description' || key.startsWith('x-kubernetes-') || key === 'format') return [];
    if (key === '$ref' && typeof value === 'string') return [[key, refs(value)]];
    if (key !== 'properties' || !isSchema(value)) return [[key, closed(value, refs)]];
    const properties = Object.entries(value).map(([name, one]) => [name, closed(one, refs)]);
    return [[key, Object.fromEntries(properties)]];
  });
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
  return Object.fromEntries([...kept, ...(isOpen ? [] : [['additionalProperties', false]])]);
}

async function writeKinds(): Promise<void> {
  const path = join(await folderOf(KUBERNETES), 'api/openapi-spec/swagger.json');
  const { definitions } = await Bun.file(path).json();
  const needed = new Map<string, unknown>();
  const visit = (name: string): void => {
    if (needed.has(name)) return;
    needed.set(name, EITHER[name]);
    if (name in EITHER) return;
    const refs = (ref: string) => {
      visit(ref.slice('#/definitions/'.length));
      return ref;
    };
    needed.set(name, closed(definitions[name], refs));
  };
  for (const [name, apiVersion] of Object.entries(KINDS)) {
    visit(name);
    const kind = name.slice(name.lastIndexOf('.') + 1);
    const schema = {
      allOf: [{ $ref: `definitions.json#/definitions/${name}` }],
      required: ['apiVersion', 'kind', 'metadata'],
      properties: { apiVersion: { const: apiVersion }, kind: { const: kind } },
    };
    await write(`${kind.toLowerCase()}.json`, schema);
  }
  await write('definitions.json', { definitions: Object.fromEntries(needed) });
}

async function writeMonitor(): Promise<void> {
  const folder = join(await folderOf(OPERATOR), 'example/prometheus-operator-crd');
  const text = await Bun.file(join(folder, 'monitoring.coreos.com_servicemonitors.yaml')).text();
  const found: unknown = Bun.YAML.parse(text);
  const { spec } = found as { spec: { versions: { schema: { openAPIV3Schema: unknown } }[] } };
  await write('servicemonitor.json', closed(spec.versions[0]?.schema.openAPIV3Schema, String));
}

async function writeCompose(): Promise<void> {
  const path = join(await folderOf(COMPOSE), 'schema/compose-spec.json');
  const { $schema, $id, title, description, ...schema } = await Bun.file(path).json();
  await write('compose.json', withoutWords(schema));
}

/** A property may have the name `description`, and is no text then. */
const withoutWords = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

const write = (name: string, schema: unknown) =>
  Bun.write(join(FOLDER, name), `${JSON.stringify(schema)}\n`);

await mkdir(FOLDER, { recursive: true });
await writeKinds();
await writeMonitor();
await writeCompose();
