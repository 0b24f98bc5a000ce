import { Confirmed } from '../../parts/confirm.tsx';
import { Moment } from '../../parts/moment.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { people as t } from '../../texts/people.ts';
import type { Customer } from './queries.ts';

export function Grants(props: { appId: string; grants: Customer['grants']; zone: string }) {
  const { appId, grants, zone } = props;
  return (
    <ul class="person-list">
      {grants.map(({ id, productId, entitlement = '', expiresAt, note, endedAt, endReason }) => (
        <li key={id}>
          <div class="row">
            <strong>{productId ?? entitlement}</strong>
            {!endedAt && (
              <Confirmed
                button={t.revoke}
                title={`${t.revoke} ${productId ?? entitlement}`}
                loss={t.revokeLoss}
                name={productId ?? entitlement}
                notAllowed={whyNotEdit.value}
                onConfirm={() => api.revokeEntitlement({ id: appId, grantId: id })}
              />
            )}
          </div>
          <div class="quiet">
            {endedAt ? (
              <>
                {t.ended[endReason ?? 'expired']} <Moment at={endedAt} zone={zone} />
              </>
            ) : expiresAt === null ? (
              t.forGood
            ) : (
              <>
                {t.until} <Moment at={expiresAt} zone={zone} />
              </>
            )}
            {note && `, ${note}`}
          </div>
        </li>
      ))}
    </ul>
  );
}
