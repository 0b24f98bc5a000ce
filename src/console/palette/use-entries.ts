import { useLocation } from 'preact-iso';
import { pageCharts } from '../parts/chart/page-charts.ts';
import { shortcutsHelp } from '../shell/shortcuts.tsx';
import { api, orNull } from '../state/api.ts';
import { addressed } from '../state/organization.ts';
import { useLinks, usePlace } from '../state/place.ts';
import { useQuery } from '../state/query.ts';
import { fixedQuery, useRange } from '../state/range.ts';
import { mayEdit, mayManage } from '../state/session.ts';
import { signOut } from '../state/sign-in.ts';
import { palette as t } from '../texts/palette.ts';
import {
  type AppThings,
  type Entry,
  type PaletteApp,
  pageEntries,
  thingEntries,
} from './entries.ts';
import { askOf, DOORS } from '../state/ask.ts';

const APPS_LOOKED_AT = 20;

async function thingsOf(app: PaletteApp, signal: AbortSignal): Promise<AppThings> {
  const id = { id: app.id };
  const [questions, funnels, settings, experiments] = await Promise.all([
    orNull(api.listQuestions(id, { signal })),
    orNull(api.listFunnels(id, { signal })),
    orNull(api.getAppSettings(id, { signal })),
    orNull(api.listExperiments(id, { signal })),
  ]);
  return {
    app,
    questions: (questions ?? []).map(({ id, name, question }) => ({
      ...{ id, name, page: DOORS[askOf(question).kind] },
    })),
    funnels: (funnels ?? []).map((one) => ({ ...one, steps: one.steps.length })),
    views: settings?.pinnedViews ?? [],
    experiments: experiments ?? [],
  };
}

type Act = Pick<Entry, 'icon' | 'href' | 'run'> & {
  name: Exclude<keyof typeof t.acts, 'export'>;
  isAllowed: boolean;
};

const exportActs = (): Entry[] =>
  pageCharts.value.flatMap(({ title, saveCsv, savePng }) =>
    (
      [
        ['CSV', saveCsv],
        ['PNG', savePng],
      ] as const
    ).map(
      ([detail, run]): Entry => ({
        key: `act export ${title} ${detail}`,
        group: 'acts',
        text: t.acts.export(title),
        detail,
        icon: 'download',
        run,
      }),
    ),
  );

function useActs(): Entry[] {
  const { path, query } = useLocation();
  const { appId, apps } = usePlace();
  const range = useRange();
  const app = appId ?? apps?.[0]?.id;
  const copyLink = () => {
    const fixed = fixedQuery(`${new URLSearchParams(query)}`, range);
    void navigator.clipboard.writeText(`${location.origin}${addressed(path)}${fixed}`);
  };
  const acts: Act[] = [
    { name: 'addApp', icon: 'add', href: '/?add=app', isAllowed: mayEdit.value },
    ...(app
      ? ([
          {
            name: 'newFunnel',
            icon: 'add',
            href: `/apps/${app}/funnels?edit=new`,
            isAllowed: mayEdit.value,
          },
          {
            name: 'newExperiment',
            icon: 'add',
            href: `/apps/${app}/experiments?add=experiment`,
            isAllowed: mayEdit.value,
          },
        ] as const)
      : []),
    { name: 'invite', icon: 'people', href: '/members?add=member', isAllowed: mayManage.value },
    { name: 'createKey', icon: 'keys', href: '/keys?add=key', isAllowed: mayManage.value },
    { name: 'copyLink', icon: 'link', run: copyLink, isAllowed: true },
    { name: 'keyboard', icon: 'keyboard', run: shortcutsHelp, isAllowed: true },
    { name: 'signOut', icon: 'signOut', run: () => void signOut(), isAllowed: true },
  ];
  return acts
    .filter(({ isAllowed }) => isAllowed)
    .map(({ name, isAllowed, ...act }) => ({
      ...act,
      key: `act ${name}`,
      group: 'acts',
      text: t.acts[name],
      ...(name === 'keyboard' && { keys: ['?'] }),
    }));
}

export function useEntries(): Entry[] {
  const linkTo = useLinks();
  const { appId, apps = [] } = usePlace();
  const looked = apps.slice(0, APPS_LOOKED_AT);
  const things = useQuery(
    `palette ${looked.map(({ id }) => id).join()}`,
    (signal) => Promise.all(looked.map((app) => thingsOf(app, signal))),
    { enabled: looked.length > 0 },
  );
  const acts = useActs();
  return [
    ...pageEntries(apps, appId, linkTo),
    ...thingEntries(things.value.data ?? [], linkTo),
    ...acts,
    ...exportActs(),
  ];
}
