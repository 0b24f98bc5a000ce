import { Field, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { api } from '../../state/api.ts';
import { mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.note;

/** A mark of one's own above the charts of an app. */
export function AddNote(props: { appId: string; today: string; onSaved: () => void }) {
  const { appId, today, onSaved } = props;
  return (
    <Popover
      label={t.add}
      class="note-panel"
      placement="bottom-end"
      button={(trigger) => (
        <button
          {...trigger}
          class="ghost compact"
          disabled={!mayManage.value}
          title={mayManage.value ? undefined : texts.errors.managersOnly}
        >
          <icons.note class="small" />
          {t.add}
        </button>
      )}
    >
      {(close) => (
        <Form
          button={t.save}
          onSubmit={async (fields) => {
            const body = { day: fields.get('day'), text: fields.get('text').trim() };
            await api.createMark({ id: appId, body });
            close();
            onSaved();
          }}
        >
          <Field label={t.text} name="text" maxLength={200} autocomplete="off" hint={t.why} />
          <Field label={t.day} name="day" type="date" value={today} />
        </Form>
      )}
    </Popover>
  );
}
