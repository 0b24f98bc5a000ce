import { Field, Form } from '../../parts/form.tsx';
import { Answered } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.organization;

/** In which currency the organization's money is shown. */
export function OwnCurrency() {
  const settings = useQuestion('organization settings', (signal) =>
    api.getOrganizationSettings(undefined, { signal }),
  );
  return (
    <section>
      <h2>{texts.currency.label}</h2>
      <p>{texts.currency.why}</p>
      <Answered asked={settings.value} again={settings.again}>
        {({ currency }) => (
          <Form
            button={t.save}
            done={t.saved}
            notAllowed={!mayManage.value && texts.faults.managersOnly}
            onSubmit={async (fields) => {
              const body = { currency: fields.get('currency').trim() };
              await api.setOrganizationSettings({ body });
              settings.again();
            }}
          >
            <Field label={texts.currency.label} name="currency" value={currency} maxLength={3} />
          </Form>
        )}
      </Answered>
    </section>
  );
}
