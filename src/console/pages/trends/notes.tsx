import { calendarDay } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { iconOf, MarkIcon } from '../../parts/chart/index.ts';
import type { Mark } from '../../parts/chart/marks.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { mayManage, whyNotManage } from '../../state/session.ts';
import { trends as trendsTexts } from '../../texts/trends.ts';

const t = trendsTexts.notes;

function MarkRow({ appId, mark }: { appId: string; mark: Mark }) {
  const { id, kind, day, text } = mark;
  return (
    <li>
      <MarkIcon kind={iconOf(kind)} />
      <span class="quiet nowrap">{calendarDay(day)}</span>
      <span class="grow">{text}</span>
      {id !== null && mayManage.value && (
        <ActionButton
          button={t.remove}
          label={t.removeOf(text)}
          act={() => api.deleteMark({ id: appId, markId: id })}
        />
      )}
    </li>
  );
}

export function NotesDialog(props: {
  appId: string;
  isOpen: boolean;
  marks: readonly Mark[];
  dates: string;
  day: string;
  onClose: () => void;
}) {
  const { appId, isOpen, marks, dates, day, onClose } = props;
  return (
    <Dialog title={t.add} isOpen={isOpen} onClose={onClose}>
      <Form
        button={t.save}
        notAllowed={whyNotManage.value}
        onCancel={onClose}
        onSubmit={async (fields) => {
          const body = { day: fields.get('day'), text: fields.get('text').trim() };
          await api.createMark({ id: appId, body });
          onClose();
        }}
      >
        <Field label={t.text} name="text" maxLength={200} hint={t.why} />
        <Field label={t.day} name="day" type="date" value={day} />
      </Form>
      <h3 class="trend-notes-title">
        {marks.length > 0 ? t.marks(marks.length, dates) : t.none(dates)}
      </h3>
      <ul class="trend-notes">
        {marks.map((mark) => (
          <MarkRow key={`${mark.day} ${mark.kind} ${mark.text}`} appId={appId} mark={mark} />
        ))}
      </ul>
    </Dialog>
  );
}
