import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { loadConfig } from '../../../src/config.ts';
import { NEEDS, partsOf } from '../../../src/observability/needs.ts';
import { must } from '../../../src/shared/assert.ts';
import {
  type Container,
  checkManifests,
  hasHelm,
  hasKubeconform,
  type Manifest,
  manifestsOf,
  type PodSpec,
  renderChart,
} from '../../support/helm.ts';
import { describeWhere } from '../../support/left-out.ts';
import { ROOT } from '../../support/sources.ts';

const LEAST = {
  secretName: 'control-plane',
  publicUrl: 'https://app.example.com',
  temporal: { address: 'temporal.temporal.svc:7233' },
  events: { url: 's3://events/production' },
};
const EVERYTHING = {
  ...LEAST,
  temporal: { ...LEAST.temporal, uiUrl: 'https://temporal.example.com' },
  s3: {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    credentials: 'web-identity',
  },
  backup: { to: 's3://backups/production' },
  env: { LAKE: 'on', DISK_FLOOR_MB: 1_024 },
  intake: { enabled: true },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'app.example.com',
    tlsSecretName: 'app-tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '35' },
  },
  networkPolicy: { ingressFrom: ['ingress-nginx'], metricsFrom: ['monitoring'] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' } },
  api: {
    annotations: { a: 'b' },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'k', operator: 'Exists' }],
    storage: { className: 'fast' },
  },
  image: { pullSecrets: [{ name: 'registry' }] },
};
/** Of the Secret that the operator makes. */
const SECRET = {
  DATABASE_URL: 'postgres://control_plane:password@db.internal/control_plane',
  AUTH_SECRET: 'a'.repeat(40),
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  METRICS_TOKEN: 'token-of-metrics',
};

/** Of the service account's role, by the cluster. */
const IDENTITY = {
  AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/eks.amazonaws.com/serviceaccount/token',
  AWS_ROLE_ARN: 'arn:aws:iam::1:role/x',
};
const GIVEN = { ...SECRET, ...IDENTITY };

if (!hasKubeconform) console.log('not run: kubeconform (needs Go; .ci/tools installs it)');

const podOf = ({ spec }: Manifest) => must(spec.template, 'pods');
const withPods = (manifests: readonly Manifest[]) =>
  manifests.filter(({ spec }) => spec?.template !== undefined);
const settingsOf = ({ env }: Container) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));
const only = ({ containers }: PodSpec) => must(containers[0], 'a container');

describeWhere(hasHelm, 'needs Go; .ci/tools installs it')('the Helm chart', () => {
  const least = renderChart(LEAST);
  const everything = renderChart(EVERYTHING);
  const all = manifestsOf(everything.text);
  const find = (kind: string, end: string) =>
    must(
      all.find((one) => one.kind === kind && one.metadata.name.endsWith(end)),
      `${kind} ${end}`,
    );

  test('is of the release that package.json names', () => {
    const chart: unknown = Bun.YAML.parse(
      readFileSync(join(ROOT, 'deploy/helm/control-plane/Chart.yaml'), 'utf8'),
    );
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(chart).toMatchObject({ appVersion: version, version });
  });

  test.skipIf(!hasKubeconform)('is what Kubernetes takes, to the last field', () => {
    for (const [rendered, kinds] of [
      [least, 14],
      [everything, 18],
    ] as const) {
      expect(rendered).toMatchObject({ isGood: true });
      const checked = checkManifests(rendered.text);
      expect(checked.said).toContain(`Valid: ${kinds}, Invalid: 0, Errors: 0, Skipped: 0`);
    }
    const misspelt = everything.text.replace('minReadySeconds', 'minReadySecond');
    expect(checkManifests(misspelt)).toMatchObject({ isGood: false });
  });

  test('says what is missing or wrong, by its name', () => {
    const saidBy = (values: object) => {
      const { isGood, said } = renderChart(values);
      expect(isGood).toBe(false);
      return said;
    };
    expect(saidBy({ ...LEAST, secretName: '' })).toContain('Set secretName to a Secret with');
    expect(saidBy({ ...LEAST, publicUrl: '' })).toContain('Set publicUrl');
    expect(saidBy({ ...LEAST, temporal: {} })).toContain('Set temporal.address');
    expect(saidBy({ ...LEAST, events: {} })).toContain('Set events.url');
    expect(saidBy({ ...LEAST, ingress: { enabled: true } })).toContain('Set ingress.host');
    expect(saidBy({ ...LEAST, events: { url: 'file:///events' } })).toMatch(/events.?[./]url/);
    expect(saidBy({ ...LEAST, api: { replicas: 0 } })).toContain('replicas');
    expect(saidBy({ ...LEAST, api: { replica: 2 } })).toContain('replica');
    expect(saidBy({ ...LEAST, env: { lake: 'on' } })).toContain('lake');
  });

  test('gives each process settings that it accepts', () => {
    for (const rendered of [least, everything]) {
      for (const manifest of withPods(manifestsOf(rendered.text))) {
        const container = only(podOf(manifest).spec);
        expect(container.envFrom).toEqual([{ secretRef: { name: 'control-plane' } }]);
        const config = loadConfig({ ...GIVEN, ...settingsOf(container) });
        expect(config).toMatchObject({
          dataDir: '/data',
          publicUrl: 'https://app.example.com',
          trustProxy: 1,
          events: { url: 's3://events/production', ack: 'bucket' },
          temporal: { address: 'temporal.temporal.svc:7233', namespace: 'default' },
        });
      }
    }
    const { intakePort } = loadConfig({
      ...GIVEN,
      ...settingsOf(only(podOf(find('StatefulSet', '-api')).spec)),
    });
    expect(intakePort).toBe(3_001);
  });

  test('each kind of work has a part, and each part what its work needs', () => {
    const done: string[] = withPods(manifestsOf(least.text)).flatMap((manifest) => {
      if (manifest.kind === 'Job') return [];
      const { spec } = podOf(manifest);
      const { roles, workerQueues } = loadConfig({ ...GIVEN, ...settingsOf(only(spec)) });
      const parts = partsOf({ roles, workerQueues });
      for (const part of parts) {
        const { beside, lasts } = NEEDS[part];
        const { name } = manifest.metadata;
        const lacking = Object.keys(beside).filter((role) => !roles.some((own) => own === role));
        const claims = (manifest.spec.volumeClaimTemplates ?? []).map((one) => one.metadata.name);
        expect({ name, part, lacking }).toEqual({ name, part, lacking: [] });
        if (lasts) expect({ name, part, claims }).toEqual({ name, part, claims: ['data'] });
      }
      return parts;
    });
    expect(done.toSorted()).toEqual([...Object.keys(NEEDS), 'query'].toSorted());
  });

  test('a query process has memory and a volume for its cache in every part that has one', () => {
    const parts = withPods(manifestsOf(least.text)).flatMap((manifest) => {
      const { spec } = podOf(manifest);
      const container = only(spec);
      const { roles, query, events } = loadConfig({ ...GIVEN, ...settingsOf(container) });
      if (manifest.kind === 'Job' || !roles.includes('query')) return [];
      const volume = spec.volumes.find(({ name }) => name === 'data')?.emptyDir;
      const [claim] = manifest.spec.volumeClaimTemplates ?? [];
      const size = volume?.sizeLimit ?? claim?.spec.resources.requests.storage;
      const limit = Number.parseInt(must(container.resources.limits.memory, 'a limit'), 10);
      // What questions spill besides: four times their memory.
      const spilledGb = (query.memoryMb * 4) / 1_024;
      expect(query.memoryMb * 2).toBeLessThanOrEqual(limit * 1_024);
      expect(events.cacheGb + spilledGb).toBeLessThan(Number.parseInt(must(size, 'a size'), 10));
      return [manifest.metadata.name];
    });
    expect(parts).toEqual(['mcp-control-plane-worker', 'mcp-control-plane-api']);
  });

  test('no variable is one that the service does not know', () => {
    const documented = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    const names = withPods(all).flatMap((one) => only(podOf(one).spec).env.map(({ name }) => name));
    for (const name of new Set(names)) expect(documented).toContain(`\`${name}\``);
  });

  test('no pod gains a privilege, and each writes into /data and /tmp only', () => {
    for (const manifest of withPods(all)) {
      const { spec } = podOf(manifest);
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1_000 });
      for (const { securityContext, volumeMounts, resources, image } of spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
        expect(resources.limits.memory).toBeDefined();
        expect(image).toBe('mobile-control-plane:1.0.0');
      }
    }
  });

  test('a claim with the table of countries is mounted into the API alone, to be read', () => {
    const { text } = renderChart({ ...LEAST, countries: { claim: 'tables' } });
    for (const manifest of withPods(manifestsOf(text))) {
      const { spec } = podOf(manifest);
      const { COUNTRY_TABLE } = settingsOf(only(spec));
      const mounts = only(spec).volumeMounts.filter(({ name }) => name === 'countries');
      const volumes = spec.volumes.filter(({ name }) => name === 'countries');
      const isApi = manifest.metadata.name.endsWith('-api');
      expect({ COUNTRY_TABLE, mounts, volumes }).toEqual(
        isApi
          ? {
              COUNTRY_TABLE: '/countries/countries.mmdb',
              mounts: [{ name: 'countries', mountPath: '/countries', readOnly: true }],
              volumes: [
                {
                  name: 'countries',
                  persistentVolumeClaim: { claimName: 'tables', readOnly: true },
                },
              ],
            }
          : { COUNTRY_TABLE: undefined, mounts: [], volumes: [] },
      );
    }
    if (hasKubeconform) expect(checkManifests(text)).toMatchObject({ isGood: true });
  });

  test('files that variables name are mounted into every pod, those of Temporal with their paths', () => {
    const { text } = renderChart({
      ...LEAST,
      temporal: { ...LEAST.temporal, tlsSecretName: 'temporal-client', tlsHasCa: true },
      env: { NODE_EXTRA_CA_CERTS: '/authority/ca.pem' },
      extraVolumes: [{ name: 'authority', secret: { secretName: 'authority' } }],
      extraVolumeMounts: [{ name: 'authority', mountPath: '/authority', readOnly: true }],
    });
    const pods = withPods(manifestsOf(text));
    expect(pods).toHaveLength(4);
    for (const manifest of pods) {
      const { spec } = podOf(manifest);
      const container = only(spec);
      const { temporal } = loadConfig({ ...GIVEN, ...settingsOf(container) });
      expect(temporal).toMatchObject({
        tlsCertPath: '/temporal-tls/tls.crt',
        tlsKeyPath: '/temporal-tls/tls.key',
        tlsCaPath: '/temporal-tls/ca.crt',
      });
      const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
      expect(mounted.slice(0, 4)).toEqual(['/data', '/tmp', '/temporal-tls', '/authority']);
      const names = spec.volumes.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['temporal-tls', 'authority']));
    }
    if (hasKubeconform) expect(checkManifests(text)).toMatchObject({ isGood: true });
  });

  test.each([
    ['instance-role', '169.254.169.254/32'],
    ['container-role', '169.254.170.23/32'],
  ])('credentials by %s are let through to every part', (credentials, cidr) => {
    const { text } = renderChart({ ...LEAST, s3: { credentials } });
    const policies = manifestsOf(text).filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.map(({ metadata }) => metadata.name.split('-').at(-1)).toSorted()).toEqual([
      ...['api', 'files', 'migrate', 'worker'],
    ]);
    for (const { spec } of policies) {
      expect(spec.egress).toContainEqual({
        ports: [{ protocol: 'TCP', port: 80 }],
        to: expect.arrayContaining([{ ipBlock: { cidr } }]),
      });
    }
    if (hasKubeconform) expect(checkManifests(text)).toMatchObject({ isGood: true });
  });

  test('the policy of the migration is there before it', () => {
    const annotations = find('NetworkPolicy', '-migrate').metadata.annotations;
    expect(annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(Number(annotations?.['helm.sh/hook-weight'])).toBeLessThan(0);
  });

  test('an autoscaler keeps its number of pods, and their budget, through an upgrade', () => {
    const { text } = renderChart({ ...LEAST, api: { replicas: null }, worker: { replicas: null } });
    const manifests = manifestsOf(text);
    const replicas = withPods(manifests).flatMap(({ kind, spec }) =>
      kind === 'Job' ? [] : [spec.replicas],
    );
    expect(replicas.toSorted()).toEqual([2, undefined, undefined]);
    expect(manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')).toHaveLength(3);
  });

  test('what is not in the bucket yet has a volume that outlives its pod', () => {
    const api = find('StatefulSet', '-api');
    expect(api.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(['data']);
    expect(podOf(api).spec.volumes.map(({ name }) => name)).toEqual(['tmp']);
  });

  test('a pod leaves the routes, then drains, within its grace', () => {
    const { spec } = podOf(find('StatefulSet', '-api'));
    const { lifecycle, readinessProbe } = only(spec);
    const [word, seconds] = must(lifecycle, 'a hook').preStop.exec.command;
    expect(word).toBe('sleep');
    const { periodSeconds } = must(readinessProbe, 'a probe');
    expect(Number(seconds)).toBeGreaterThanOrEqual(periodSeconds);
    // The service stops within 9.5 s.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(seconds) + 10);
  });

  test('a pod lives as long as its supervisor, which replaces what hangs', () => {
    for (const manifest of withPods(all).filter(({ kind }) => kind !== 'Job')) {
      const container = only(podOf(manifest).spec);
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'metrics' });
      const { metricsPort } = loadConfig({ ...GIVEN, ...settingsOf(container) });
      expect(container.ports).toContainEqual({
        name: 'metrics',
        containerPort: must(metricsPort, 'METRICS_PORT'),
      });
      expect(container.startupProbe?.httpGet?.path).toBe('/healthz');
    }
  });

  test('migrations come before the roll-out, by a command that there is', () => {
    const job = find('Job', '-migrate');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const { command } = only(podOf(job).spec);
    expect(command?.slice(0, 2)).toEqual(['bun', 'src/admin/main.ts']);
    expect(COMMANDS.map(({ name }) => name)).toContain(command?.[2] ?? '');
  });

  test('services, budgets and policies select the pods of their part', () => {
    const selects = (selector: Record<string, string>) =>
      withPods(all)
        .filter((one) =>
          Object.entries(selector).every(
            ([label, value]) => podOf(one).metadata.labels[label] === value,
          ),
        )
        .map(({ metadata }) => metadata.name);
    const selectorOf = ({ kind, spec }: Manifest) => {
      const selector = kind === 'NetworkPolicy' ? spec.podSelector : spec.selector;
      const labels = kind === 'Service' ? selector : Reflect.get(Object(selector), 'matchLabels');
      return labels as Record<string, string>;
    };
    for (const manifest of all) {
      if (!['Service', 'NetworkPolicy', 'PodDisruptionBudget'].includes(manifest.kind)) continue;
      const { name } = manifest.metadata;
      const found = selects(selectorOf(manifest));
      if (name.endsWith('-workers')) continue;
      const part = manifest.kind === 'Service' ? 'mcp-control-plane-api' : name;
      expect([name, found]).toEqual([name, [part]]);
    }
    const services = all.filter(({ kind }) => kind === 'Service');
    for (const monitor of all.filter(({ kind }) => kind === 'ServiceMonitor')) {
      const labels = Object.entries(selectorOf(monitor));
      const watched = services.filter(({ metadata }) =>
        labels.every(([label, value]) => metadata.labels[label] === value),
      );
      expect(watched).toHaveLength(1);
    }
  });
});
