import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { organization as t } from '../../texts/organization.ts';

export function AuditKept() {
  const settings = useQuery('audit settings', (signal) =>
    api.getAuditSettings(undefined, { signal }),
  );
  return (
    <Card title={t.auditKept}>
      <p class="quiet">{t.auditWhy}</p>
      <Loaded query={settings}>
        {({ keptDays }) => (
          <Form
            button={t.save}
            done={t.saved}
            onSubmit={async (fields) => {
              await api.setAuditSettings({ body: { keptDays: Number(fields.get('days')) } });
              settings.refetch();
            }}
          >
            <Field
              label={t.auditDays}
              name="days"
              type="number"
              value={String(keptDays)}
              min={30}
              max={3650}
            />
          </Form>
        )}
      </Loaded>
    </Card>
  );
}
