export {};

const GRACE_MS = 5_000;

const child = Bun.spawn(process.argv.slice(2), {
  stdin: 'ignore',
  stdout: 'inherit',
  stderr: 'inherit',
});

// SIGTERM is for the runner; the guard outlives it.
process.on('SIGTERM', () => undefined);

async function endGroupWithOwner(): Promise<void> {
  for await (const _ of Bun.stdin.stream());
  process.kill(-process.pid, 'SIGTERM');
  await Promise.race([child.exited, Bun.sleep(GRACE_MS)]);
  process.kill(-process.pid, 'SIGKILL');
}

void endGroupWithOwner();
const code = await child.exited;
process.exit(child.signalCode === null ? code : 128);
