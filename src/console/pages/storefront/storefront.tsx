import { useRoute } from 'preact-iso';
import { Page } from '../../parts/page.tsx';
import { mayManage } from '../../state/session.ts';
import { storefront as t } from '../../texts/storefront.ts';
import { StoreFunnel } from './store-funnel.tsx';
import { Webhook } from './webhook.tsx';
import { Reviews, ReviewVersions } from './reviews.tsx';

export function Storefront() {
  const appId = useRoute().params.id ?? '';
  return (
    <Page title={t.title} question={t.question} help="store-reviews">
      <StoreFunnel appId={appId} />
      <ReviewVersions appId={appId} />
      {mayManage.value && <Webhook appId={appId} />}
      <Reviews appId={appId} />
    </Page>
  );
}
