import { homedir } from 'node:os';

/** What a process that is started without the environment of the tests still needs. */
export const PLACES = { PATH: process.env.PATH ?? '', HOME: homedir() };
