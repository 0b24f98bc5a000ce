import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findSwift, runSwift, swiftRepository } from '../../support/clients/swift.ts';

// The first build takes minutes on a small machine.
setDefaultTimeout(900_000);

const swift = findSwift();

describe('the Swift client', () => {
  test.skipIf(!swift)('builds without a warning and passes its own tests', async () => {
    if (!swift) return;
    const built = await runSwift(swift, ['swift', 'build', '--build-tests']);
    expect(built.code, built.output).toBe(0);
    expect(built.output).not.toContain('warning:');
    const tested = await runSwift(swift, ['swift', 'test', '--skip-build']);
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toMatch(/Executed \d+ tests?, with 0 failures/);
  });

  test.skipIf(!swift)('resolves and builds by the address of its repository', async () => {
    if (!swift) return;
    // Inside the package, because Swift may live in a root of its own.
    const folder = join(import.meta.dir, '../../../clients/swift/.build/fresh');
    const origin = join(import.meta.dir, '../../../clients/swift/.build/control-plane');
    for (const old of [folder, origin]) rmSync(old, { recursive: true, force: true });
    await swiftRepository(origin);
    mkdirSync(join(folder, 'Sources/Fresh'), { recursive: true });
    await Bun.write(
      join(folder, 'Package.swift'),
      `// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Fresh",
    platforms: [.macOS(.v12)],
    dependencies: [.package(url: "file://${swift.at('.build/control-plane')}", branch: "main")],
    targets: [
        .executableTarget(
            name: "Fresh",
            dependencies: [
                .product(name: "ControlPlane", package: "control-plane"),
                .product(name: "ControlPlanePurchases", package: "control-plane"),
            ])
    ]
)
`,
    );
    await Bun.write(
      join(folder, 'Sources/Fresh/main.swift'),
      `import ControlPlane
var options = Options(key: "svp_test", url: "https://service.example")
options.appVersion = "1.0"
ControlPlane.track("dropped_before_start")
ControlPlane.identify("user-1")
print(ControlPlane.shared.queuedCount)
`,
    );
    const page = readFileSync(join(import.meta.dir, '../../../docs/clients.md'), 'utf8');
    const example = [...page.matchAll(/```swift\n([\s\S]*?)```/g)].at(-1)?.[1] ?? '';
    expect(example).toContain('import ControlPlanePurchases');
    await Bun.write(join(folder, 'Sources/Fresh/Purchases.swift'), example);
    const at = ['--package-path', '.build/fresh'];
    const resolved = await runSwift(swift, ['swift', 'package', ...at, 'show-dependencies']);
    expect(resolved.code, resolved.output).toBe(0);
    expect(resolved.output).toContain('control-plane<');
    expect(resolved.output).toContain('resolved at main');
    // Building all of it again takes a minute.
    if (!process.env.TEST_FULL) return;
    const run = await runSwift(swift, ['swift', 'run', ...at, 'Fresh']);
    expect(run.code, run.output).toBe(0);
    expect(run.output.split('\n')).toContain('0');
  });
});
