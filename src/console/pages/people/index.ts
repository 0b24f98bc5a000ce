export { People } from './people.tsx';
export { PersonPage } from './person.tsx';
