import { Context } from '@temporalio/activity';
import type { Deps } from '../src/context.ts';
import { finishLost, runSession } from '../src/modules/preview/index.ts';
import type { PreviewRunInput } from '../src/temporal/contracts/preview.ts';
import { activity } from './activity.ts';

export function createPreviewActivities(deps: Deps) {
  return {
    runPreview: activity(deps, (ctx, input: PreviewRunInput) => {
      const { heartbeat, cancellationSignal } = Context.current();
      return runSession(ctx, {
        ...input,
        heartbeat: () => heartbeat(),
        signal: cancellationSignal,
      });
    }),
    finishPreview: activity(deps, finishLost),
  };
}

export type PreviewActivities = ReturnType<typeof createPreviewActivities>;
