export { NeedsCompany } from './company.tsx';
export { Arrived } from './arrived.tsx';
export { NeedsSecondFactor, SignIn, WithoutOrganization } from './sign-in.tsx';
