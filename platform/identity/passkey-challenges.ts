import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

const CHALLENGE_MINUTES = 5
const TIME_BYTES = 8
const RANDOM_BYTES = 16
const SIGNATURE_BYTES = 32

export type ChallengeDeps = { readonly db: Kysely<Db>; readonly secret: string; readonly now: () => string }

/**
 * Challenges of passkeys: the time of expiry, random bits and a signature. Anyone may ask for one, so nothing is stored until it is
 * answered. The signature covers what the challenge is for; for anything else it is worth nothing.
 */
export function createPasskeyChallenges({ db, secret, now }: ChallengeDeps) {
  const signatureOf = (body: Uint8Array, purpose: readonly string[]): Buffer =>
    createHmac('sha256', secret).update(JSON.stringify(purpose)).update(body).digest()

  return {
    /** A challenge for a purpose, base64url. */
    make(purpose: readonly string[]): string {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeBigInt64BE(BigInt(Date.parse(now()) + CHALLENGE_MINUTES * 60_000))
      const body = Buffer.concat([time, randomBytes(RANDOM_BYTES)])
      return Buffer.concat([body, signatureOf(body, purpose)]).toString('base64url')
    },

    /** Whether the challenge was made for this purpose and has not expired. */
    isValid(challenge: string, purpose: readonly string[]): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== TIME_BYTES + RANDOM_BYTES + SIGNATURE_BYTES) return false
      const body = bytes.subarray(0, -SIGNATURE_BYTES)
      return timingSafeEqual(bytes.subarray(-SIGNATURE_BYTES), signatureOf(body, purpose)) && expiryOf(bytes) > Date.parse(now())
    },

    /** Uses up a valid challenge; false when it was answered before ("signs in once by an answer that is sent 30 times at once"). */
    async use(challenge: string, on: Kysely<Db>): Promise<boolean> {
      const expires_at = new Date(expiryOf(Buffer.from(challenge, 'base64url'))).toISOString()
      const { numInsertedOrUpdatedRows } = await on
        .insertInto('identity.answered_challenges')
        .values({ challenge_hash: createHash('sha256').update(challenge).digest('hex'), expires_at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async purge(): Promise<void> {
      await db.deleteFrom('identity.answered_challenges').where('expires_at', '<=', timestamptz(now())).execute()
    },
  }
}

const expiryOf = (bytes: Buffer): number => Number(bytes.readBigInt64BE(0))
