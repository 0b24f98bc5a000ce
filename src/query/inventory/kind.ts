import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import * as model from './model.ts';

const COUNTED = 'Counts of the catalogue or a few files answer it.';

export const names = questionKind(model.NamesQuestion, model.NamesAnswer, {
  isShared: false,
  selection: (question): AppSelection => ({ ...question, ofClients: true }),
  needs: () => ({ columns: ['name', 'platform', 'app_version', 'occurred_at'], counts: true }),
  lake: COUNTED,
  count: async () => (await import('./properties.ts')).listNames,
});

export const properties = questionKind(model.PropertiesQuestion, model.PropertiesAnswer, {
  isShared: false,
  selection: ({ name, ...window }) => ({ ...window, ...named(name === null ? null : [name]) }),
  needs: () => ({ columns: ['name', 'occurred_at', 'arrival', 'props'] }),
  lake: COUNTED,
  count: async () => (await import('./properties.ts')).listProperties,
});

export const firstEvent = questionKind(model.FirstEventQuestion, model.FirstEventAnswer, {
  isShared: false,
  selection: ({ names, ...rest }) => ({ ...rest, ...named(names) }),
  needs: () => ({ columns: ['name', 'occurred_at'] }),
  lake: COUNTED,
  count: async () => (await import('./properties.ts')).findFirstEvent,
});

export const versions = questionKind(model.VersionsQuestion, model.VersionsAnswer, {
  isShared: false,
  selection: ({ orgId, appId, environment, boundariesUs }): AppSelection => ({
    ...{ orgId, appId, environment, ofClients: true },
    fromUs: at(boundariesUs, 0),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  }),
  needs: () => ({ columns: ['name', 'app_version', 'occurred_at'], projections: true }),
  lake: COUNTED,
  count: async () => (await import('./versions.ts')).firstSeen,
});
