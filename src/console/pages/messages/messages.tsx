import { Page } from '../../parts/page.tsx';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { messages as t } from '../../texts/messages.ts';
import { AtOnce } from './at-once.tsx';
import { Destinations } from './destinations.tsx';
import { Digest } from './digest.tsx';

/** What the service tells people of itself, when, and where. */
export function Messages() {
  return (
    <Page title={t.title} question={t.question} help="digests">
      {mayManage.value ? (
        <>
          <AtOnce />
          <Digest />
          <Destinations />
        </>
      ) : (
        <p class="notice">{texts.errors.managersOnly}</p>
      )}
    </Page>
  );
}
