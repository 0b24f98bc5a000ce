import { when } from '../../format.ts';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { mayEdit } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { people as t } from '../../texts/people.ts';
import type { Customer } from './queries.ts';

type Props = {
  appId: string;
  personId: string;
  grants: Customer['grants'];
  /** Without a user id, since the person never signed in. */
  isDevice: boolean;
  onChange: () => void;
};

function All({ appId, grants, onChange }: Props) {
  const revoke = async (grantId: string) => {
    await api.revokeEntitlement({ id: appId, grantId });
    onChange();
  };
  return (
    <Table
      caption={t.grants}
      rows={grants}
      keyOf={({ id }) => id}
      columns={[
        { label: t.product, show: ({ productId }) => productId },
        {
          label: t.until,
          show: ({ expiresAt }) => (expiresAt === null ? t.forGood : when(expiresAt)),
        },
        { label: t.note, show: ({ note }) => note },
        {
          label: t.revoke,
          show: ({ id, productId, endedAt, endReason }) =>
            endedAt ? (
              <span class="quiet">{`${t.ended[endReason ?? 'expired']} ${when(endedAt)}`}</span>
            ) : (
              <Confirmed
                button={t.revoke}
                title={`${t.revoke} ${productId}`}
                loss={t.revokeLoss}
                name={productId}
                notAllowed={!mayEdit.value && texts.errors.editorsOnly}
                onConfirm={() => revoke(id)}
              />
            ),
        },
      ]}
    />
  );
}

/** What the person may use without paying. */
export function Grants(props: Props) {
  const { appId, personId, grants, isDevice, onChange } = props;
  const grant = async (fields: Fields) => {
    const day = fields.get('until');
    const note = fields.get('note');
    const body = {
      userId: personId,
      productId: fields.get('productId'),
      expiresAt: day ? `${day}T23:59:59.999Z` : null,
      note: note || null,
    };
    await api.grantEntitlement({ id: appId, body });
    onChange();
  };
  const notAllowed = mayEdit.value ? isDevice && t.grantDevice : texts.errors.editorsOnly;
  return (
    <>
      {grants.length > 0 && (
        <>
          <h2>{t.grants}</h2>
          <All {...props} />
        </>
      )}
      <details>
        <summary>{t.grant}</summary>
        <p>{t.grantWhy}</p>
        <Form button={t.grant} onSubmit={grant} notAllowed={notAllowed}>
          <div class="row">
            <Field label={t.grantProduct} name="productId" maxLength={256} autocomplete="off" />
            <Field label={t.grantUntil} name="until" type="date" hint={t.grantUntilHint} optional />
            <Field label={t.note} name="note" autocomplete="off" optional />
          </div>
        </Form>
      </details>
    </>
  );
}
