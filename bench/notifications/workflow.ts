import { proxyLocalActivities } from '@temporalio/workflow';

const { writeRow } = proxyLocalActivities<{ writeRow: (id: string) => Promise<void> }>({
  startToCloseTimeout: '10 seconds',
});

/** The least that a workflow can do and still leave a row behind. */
export async function oneRow(id: string): Promise<void> {
  await writeRow(id);
}
