export type { AppAlias } from './event/person.ts';
export { EXAMPLES_OF_PERSON } from './intake/queries.ts';
export { aliasesInLog } from './hot/hot-events.ts';
export {
  deleteAppEvents,
  devicesOfUsers,
  eraseFromEvents,
  findIdentity,
  findUndecidedIds,
  finishRepeated,
  idsOfPerson,
  type PersonIdentity,
  repeatableErasures,
  vacuumErased,
} from './people/erasure-queries.ts';
export {
  isAnyUserOfOther,
  refuseErased,
  selectErased,
  selectErasedAnywhere,
  selectKnownIds,
} from './people/queries.ts';
