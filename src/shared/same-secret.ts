import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing about either. */
export const isSameSecret = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
