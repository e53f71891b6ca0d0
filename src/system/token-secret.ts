import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes, as text that needs no quoting anywhere. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Nobody can tell the secret by this. It is random, so nothing slow is needed against guessing. */
export const secretHash = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')

/** In the same time wherever they differ. Both are hashes, so their lengths tell nothing. */
export function isSameHash(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
