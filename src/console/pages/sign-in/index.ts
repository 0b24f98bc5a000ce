export { Arrived } from './arrived.tsx';
export { SignIn, WithoutOrganization } from './sign-in.tsx';
