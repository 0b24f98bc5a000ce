export { type AppAlias, subjectHash } from './event/person.ts';
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
} from './people/erasure-queries.ts';
export { isAnyUserOfOther, refuseErased, selectErased } from './people/queries.ts';
