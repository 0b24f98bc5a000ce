import { signal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { EmptyCard, Loaded } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { selectionWords } from '../../state/ask-words.ts';
import type { Funnel } from '../../state/funnels.ts';
import { mayEdit } from '../../state/session.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { Door } from '../questions/door.tsx';
import { stepLabel } from '../questions/from-page.ts';
import { EditDialog } from './edit-dialog.tsx';
import { FunnelActs, Switcher } from './head.tsx';
import { listedParameters } from './listed.ts';
import { useReport } from './queries.ts';
import { ReportSkeleton } from './report-skeleton.tsx';
import { type FunnelSettings, useFunnelSettings } from './settings.ts';
import { askedSource, namedSource, type Source } from './source.ts';
import { WithinChip } from './within.tsx';

const DEFAULT_HOURS = 336;

/** Names in the last saved definition that the app never sent. */
const hint = signal<{ funnelId: string; text: string } | null>(null);

function sourceOf(settings: FunnelSettings): Source | undefined {
  const { appId, funnelAsk: ask, funnel, all, environment, frame, isOpening, query } = settings;
  if (!ask || isOpening) return undefined;
  if (funnel) return namedSource(funnel, ask, environment);
  if (query.q === undefined) return undefined;
  const labels = ask.steps.map((step) => stepLabel(step, all) ?? selectionWords(step));
  return askedSource(appId, ask, frame, labels);
}

const loadContent = () => import('./content.tsx');

const NoFunnel = ({ onCreate }: { onCreate: () => void }) => (
  <EmptyCard
    icon={icons.funnels}
    title={t.none}
    text={t.noneText}
    action={mayEdit.value && <Button onClick={onCreate}>{t.create}</Button>}
  />
);

const named = (funnel: string) => ({
  ...{ funnel, q: undefined, saved: undefined, as: undefined },
  ...listedParameters(undefined),
});

const leaveFor = (settings: FunnelSettings, saved?: Funnel) => {
  if (saved) hint.value = saved.hint ? { funnelId: saved.id, text: saved.hint } : null;
  const change = { edit: undefined, ...(saved && named(saved.id)) };
  settings.change(change, { isBackSkipped: true });
};

export function Funnels() {
  const settings = useFunnelSettings();
  const { appId, funnelAsk: ask, all, funnel, funnels, range, isCompared, change } = settings;
  const source = sourceOf(settings);
  const report = useReport(source, range, isCompared);
  const asked = report.value.data ?? undefined;
  const { module: content } = useModule(loadContent);
  const hours = ask?.windowHours ?? asked?.report.conversionWindowHours ?? DEFAULT_HOURS;
  const edit = (id: string) => change({ edit: id });
  const { edited } = settings;
  const question = settings.query.q !== undefined;
  return (
    <Door
      {...{ settings, title: t.title, question: '' }}
      error={report.value.error}
      isNamed={funnel !== undefined}
      exports={(asked && content?.exportsOf(asked, settings)) ?? []}
      switcher={
        all.length > 0 && (
          <Switcher funnel={funnel} all={all} onChoose={(id) => change(named(id))} />
        )
      }
      acts={(close) => (
        <FunnelActs
          funnel={funnel}
          onEdit={(id) => {
            close();
            edit(id);
          }}
        />
      )}
      frame={
        <WithinChip
          hours={hours}
          isChosen={ask?.windowHours !== undefined}
          onChange={(windowHours) => {
            if (!ask) return;
            const { windowHours: _, ...others } = ask;
            settings.setAsk({ ...others, ...(windowHours !== undefined && { windowHours }) });
          }}
        />
      }
      foot={(asked && content?.footOf(asked, settings)) ?? []}
    >
      {hint.value && hint.value.funnelId === funnel?.id && <p class="notice">{hint.value.text}</p>}
      <Loaded query={funnels} skeleton={<ReportSkeleton />}>
        {() =>
          source || question || settings.isOpening ? (
            <Loaded query={report} skeleton={<ReportSkeleton />}>
              {(data) =>
                data && source && content ? (
                  <content.Content {...{ asked: data, settings, source }} />
                ) : (
                  <ReportSkeleton />
                )
              }
            </Loaded>
          ) : (
            <NoFunnel onCreate={() => edit('new')} />
          )
        }
      </Loaded>
      <EditDialog
        {...{ appId, edited, funnels }}
        onSaved={(saved) => leaveFor(settings, saved)}
        onDeleted={() => change({ edit: undefined, funnel: undefined }, { isBackSkipped: true })}
        onClose={() => leaveFor(settings)}
      />
    </Door>
  );
}
