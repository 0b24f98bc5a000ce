import { useSignal } from '@preact/signals';
import { ago } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { storefront as t } from '../../texts/storefront.ts';

export function Webhook({ appId }: { appId: string }) {
  const secret = useSignal<string | null>(null);
  const hook = useApi(api.getStoreWebhook, { id: appId });
  const make = async () => {
    secret.value = (await api.createStoreWebhook({ id: appId })).secret;
  };
  return (
    <Card
      class="store-hook"
      title={t.hook}
      sub={t.hookWhy}
      actions={<ActionButton inRow button={hook.value.data ? t.rotate : t.makeHook} act={make} />}
    >
      <Loaded query={hook} skeleton={<Skeleton shape="line" />}>
        {(made) =>
          made && (
            <>
              {made.lastError && <p class="notice warn">{made.lastError}</p>}
              <Facts
                rows={[
                  [t.told, made.lastDeliveryAt ? ago(made.lastDeliveryAt) : t.never],
                  [t.address, <code key="a">{made.address}</code>],
                  [t.secret, secret.value && <code key="s">{secret.value}</code>],
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
