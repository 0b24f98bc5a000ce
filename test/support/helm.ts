import { join } from 'node:path';
import { PLACES } from './places.ts';
import { ROOT } from './sources.ts';

const CHART = join(ROOT, 'deploy/helm/control-plane');
const SCHEMAS = join(ROOT, 'test/fixtures/kubernetes/{{.ResourceKind}}.json');
/** A program made by `go install` knows no version of its own. */
const KUBERNETES = '1.31.0';
const RELEASE = 'mcp';

export type Variable = { name: string; value: string };
export type Probe = { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
export type Container = {
  name: string;
  image: string;
  command?: string[];
  env: Variable[];
  envFrom: { secretRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe & { periodSeconds: number };
  livenessProbe?: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
};
export type PodSpec = {
  serviceAccountName?: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes: { name: string; persistentVolumeClaim?: object; emptyDir?: { sizeLimit?: string } }[];
};
type Labels = Record<string, string>;
export type Manifest = {
  kind: string;
  metadata: { name: string; labels: Labels; annotations?: Labels };
  spec: {
    replicas?: number;
    serviceName?: string;
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    volumeClaimTemplates?: {
      metadata: { name: string };
      spec: { resources: { requests: { storage: string } } };
    }[];
    [key: string]: unknown;
  };
};

const isThere = (program: string) => Bun.which(program, { PATH: PLACES.PATH ?? '' }) !== null;
export const hasHelm = isThere('helm');
export const hasKubeconform = isThere('kubeconform');

function run(words: string[], input?: string) {
  const ran = Bun.spawnSync(words, {
    env: { ...process.env, ...PLACES },
    ...(input !== undefined && { stdin: Buffer.from(input) }),
  });
  return {
    isGood: ran.exitCode === 0,
    text: ran.stdout.toString(),
    said: ran.stdout.toString() + ran.stderr.toString(),
  };
}

/** As `helm template` makes them of the values. */
export function renderChart(values: unknown): { text: string; said: string; isGood: boolean } {
  return run(
    ['helm', 'template', RELEASE, CHART, '--kube-version', KUBERNETES, '--values', '-'],
    JSON.stringify(values),
  );
}

export function manifestsOf(text: string): Manifest[] {
  return text
    .split(/^---$/m)
    .map((part) => Bun.YAML.parse(part))
    .filter((one): one is Manifest => typeof one === 'object' && one !== null);
}

/** Every object against Kubernetes' own schema, unknown fields refused. */
export const checkManifests = (text: string) =>
  run(['kubeconform', '-strict', '-summary', '-schema-location', SCHEMAS, '-'], text);
