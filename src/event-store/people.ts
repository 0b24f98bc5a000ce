export { type AppAlias, subjectHash } from './event/person.ts';
export { aliasesInLog } from './hot/hot-events.ts';
export {
  deleteAppEvents,
  devicesOfUsers,
  eraseFromEvents,
  findIdentity,
  finishRepeated,
  idsOfPerson,
  repeatableErasures,
} from './people/erasure-queries.ts';
