import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import * as argon2 from '@node-rs/argon2'
import { createTurns } from '../database/turns.ts'

/** Memory in KiB, passes and lanes: about 45 ms here (OWASP's second choice for argon2id). */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const SALT_BYTES = 16

/** Hashes made at once: they share four threads with files and images, and leave one core to calls. */
const hashing = createTurns(Math.max(1, Math.min(2, availableParallelism() - 1)))

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const giveBack = await hashing.take(null)
  return work().finally(giveBack)
}

/** The argon2id hash of a password, with its own salt. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => argon2.hash(password, ARGON2))

export const isPassword = (hash: string, password: string): Promise<boolean> =>
  inTurn(() => argon2.verify(hash, password)).catch(() => false)

/**
 * The argon2id hash of a short secret of a person, in hex: the same each time, since its salt is made from `owner`, so that a secret
 * is found by one hash among several.
 */
export async function hashSecret(owner: string, secret: string): Promise<string> {
  const salt = createHash('sha256').update(`slow hash ${owner}`).digest().subarray(0, SALT_BYTES)
  const hash = await inTurn(() => argon2.hashRaw(secret, { ...ARGON2, salt }))
  return hash.toString('hex')
}
