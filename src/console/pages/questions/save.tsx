import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { whyNotEdit, whyNotManage } from '../../state/session.ts';
import { questions as t } from '../../texts/questions.ts';
import type { QuestionSettings } from './settings.ts';

const load = () => import('./editor.ts');

export function Save({ settings }: { settings: QuestionSettings }) {
  const { opened } = settings;
  const { module: kept } = useModule(load);
  // A ratio is no question: its card stands on Today alone.
  const why = settings.query.chart === 'ratio' ? whyNotManage.value : whyNotEdit.value;
  return (
    <Popover
      label={t.save}
      class="save-view"
      placement="bottom-end"
      button={{
        class: opened ? 'plain on' : 'plain',
        icon: icons.pin,
        text: opened ? t.saveChange : t.save,
        disabledWhy: why,
      }}
    >
      {(close) => (kept ? <kept.SaveForm {...{ settings, close }} /> : <Skeleton />)}
    </Popover>
  );
}
