const LOOK_EVERY_MS = 500;

/**
 * `bun run` passes Ctrl-C and SIGTERM on to us, but cannot pass on a SIGKILL of itself. Then we stop
 * too, as whoever killed it meant. Started without it (by systemd, say), we have no such parent.
 */
export function stopWithBunRun(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}
