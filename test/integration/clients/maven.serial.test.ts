import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { $ } from 'bun';
import { kotlinModules, KOTLIN_VERSION } from '../../../clients/kotlin.ts';
import { startServed } from '../../support/clients/served.ts';
import { openStored } from '../../support/clients/stored.ts';

setDefaultTimeout(300_000);

/** Maven's own plugins and Kotlin's library; what the service serves is asked for anew. */
const LOCAL = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'mobile-control-plane/maven',
);
const COMPILE = 'org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile';
const MODULES = kotlinModules();

const pom = (repository: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sample</groupId>
  <artifactId>sample</artifactId>
  <version>1</version>
  <properties><maven.compiler.release>17</maven.compiler.release></properties>
  <repositories><repository>
    <id>control-plane</id>
    <url>${repository}</url>
    <releases><checksumPolicy>fail</checksumPolicy></releases>
  </repository></repositories>
  <dependencies>${MODULES.modules
    .map(
      ({ name }) =>
        `<dependency><groupId>controlplane</groupId><artifactId>control-plane-${name}</artifactId><version>${MODULES.version}</version></dependency>`,
    )
    .join('\n')}</dependencies>
</project>
`;

const SAMPLE = `
import controlplane.*;
import controlplane.purchases.*;
import java.io.File;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
public class Sample {
  public static void main(String[] arguments) throws Exception {
    String key = arguments[0], url = arguments[1];
    Options options = new Options(key, url);
    options.setDirectory(new File(arguments[2]));
    ControlPlane.start(options);
    ControlPlane.track("app_opened", Map.of("plan", "yearly"));
    CountDownLatch answered = new CountDownLatch(2);
    ControlPlane.flush(answered::countDown);
    new Purchases(new PurchasesOptions(key, url)).named(new Who("user-1", null), "pro", pro -> {
      System.out.println(pro == null ? "unknown" : pro.getEntitled() + " " + pro.getStatus());
      answered.countDown();
    });
    answered.await();
  }
}
`;

const canRun = Boolean(Bun.which('mvn') && Bun.which('javac'));
if (!canRun) console.log('not run: no Maven and Java compiler here');

test.skipIf(!canRun)('Maven resolves the client from the service, and Java calls it', async () => {
  const served = await startServed();
  const stored = await openStored(served);
  // Naming by the interface wants a product that the store knows.
  await served.service.deps.sql`
    INSERT INTO purchase_entitlements (org_id, app_id, name, place, product_ids, updated_at)
    VALUES (${served.org.orgId}, ${served.app.appId}, 'pro', 0, ARRAY['pro.monthly'], now())`;
  const folder = mkdtempSync(join(tmpdir(), 'maven-'));
  rmSync(join(LOCAL, 'controlplane'), { recursive: true, force: true });
  try {
    await Bun.write(join(folder, 'pom.xml'), pom(`${served.url}/clients/maven`));
    await Bun.write(join(folder, 'src/main/java/Sample.java'), SAMPLE);
    const mvn = ['mvn', '-q', '-B', `-Dmaven.repo.local=${LOCAL}`, COMPILE];
    const run = await $`${mvn}`.cwd(folder).nothrow().quiet();
    expect(run.exitCode, run.stdout.toString()).toBe(0);
    const { version, modules } = MODULES;
    const jars = modules.map(({ name }) =>
      join(
        LOCAL,
        `controlplane/control-plane-${name}/${version}/control-plane-${name}-${version}.jar`,
      ),
    );
    const library = join(
      LOCAL,
      `org/jetbrains/kotlin/kotlin-stdlib/${KOTLIN_VERSION}/kotlin-stdlib-${KOTLIN_VERSION}.jar`,
    );
    const path = [join(folder, 'target/classes'), ...jars, library].join(delimiter);
    const queue = join(folder, 'queue');
    const sample = ['java', '-cp', path, 'Sample', served.app.serviceKey, served.url, queue];
    const said = await $`${sample}`.text();
    expect(said).toBe('false none\n');
    expect((await stored.rows()).map(({ name }) => name)).toContain('app_opened');
  } finally {
    await stored.stop();
    rmSync(folder, { recursive: true });
  }
});
