import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { useModule } from '../../parts/use-module.ts';
import { mayManage } from '../../state/session.ts';
import { controls } from '../../texts/controls.ts';
import { texts } from '../../texts/index.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.note;

const loadForm = () => import('./by-use.ts');

type Props = { appId: string; today: string; onSaved: () => void };

function Opened(props: Props) {
  const { module, isMissing } = useModule(loadForm);
  if (module) return <module.NoteForm {...props} />;
  return <p aria-busy={!isMissing}>{isMissing ? controls.notLoaded : controls.picker.loading}</p>;
}

export const AddNote = ({ onSaved, ...props }: Props) => (
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
      <Opened
        {...props}
        onSaved={() => {
          close();
          onSaved();
        }}
      />
    )}
  </Popover>
);
