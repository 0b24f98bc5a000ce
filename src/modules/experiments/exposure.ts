import { EXPOSURE_EVENT } from '../../query/experiment/model.ts';

export type Exposure = { id: string; anonymousId: string; experimentId: string; armId: string };

/** The batch that stands in the event log for one exposure. */
export function exposureBatch({ id, anonymousId, experimentId, armId }: Exposure): string {
  return JSON.stringify({
    events: [
      { id, name: EXPOSURE_EVENT, anonymousId, props: { experiment: experimentId, arm: armId } },
    ],
  });
}
