/** Whether this tab is the one that polls; the others wait until they get the lock. */
let isLeader = !('locks' in navigator);

/** However many tabs there are. */
export function takePart(): void {
  if (!('locks' in navigator)) return;
  const lead = async () => {
    await navigator.locks.request('console-polling', async () => {
      isLeader = true;
      await new Promise<void>((release) => {
        const onChange = () => {
          if (!document.hidden) return;
          document.removeEventListener('visibilitychange', onChange);
          release();
        };
        document.addEventListener('visibilitychange', onChange);
        onChange();
      });
      isLeader = false;
    });
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void lead();
  });
  if (!document.hidden) void lead();
}

export const isPolling = (): boolean => isLeader && !document.hidden;
