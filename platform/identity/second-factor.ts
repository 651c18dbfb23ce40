import { createHash, randomBytes, randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { PersonalData } from '#commands/identity/personal-data'
import { hashToken } from '#commands/identity/tokens'
import { anyOf, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { hashSecret } from './slow-hash.ts'

/** The second factor of sign-in: codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), and recovery codes. */

const STEP_SECONDS = 30
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 10
const CHALLENGE_MINUTES = 5
/** Codes that may be tried per challenge. */
const MOST_ATTEMPTS = 5
/** Without letters and digits that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export type SecondFactorDeps = {
  readonly db: Kysely<Db>
  readonly personal: Pick<PersonalData, 'seal' | 'open'>
  readonly now: () => string
  /** The clock of authenticator apps, epoch milliseconds: always the real time. */
  readonly realTime?: () => number
}

/** The person of a challenge, and the version of their credentials when the password was checked. */
export type Challenged = { readonly personId: string; readonly tokenVersion: number }

export function createSecondFactor({ db, personal, now, realTime = Date.now }: SecondFactorDeps) {
  async function factorOf(personId: string): Promise<{ readonly secret: string; readonly confirmed: boolean } | null> {
    const factors = db.selectFrom('identity.second_factors').select(['secret', 'confirmed_at'])
    const row = await factors.where('person_id', '=', personId).executeTakeFirst()
    const secret = row === undefined ? null : await personal.open(row.secret)
    return row === undefined || secret === null ? null : { secret, confirmed: row.confirmed_at !== null }
  }

  /** Whether this is a right code that was not used before; it is used up. */
  async function acceptCode(personId: string, secret: string, code: string): Promise<boolean> {
    const timestamp = realTime()
    const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: STEP_SECONDS, algorithm: 'SHA1' })
    const delta = /^\d{6}$/.test(code) ? totp.validate({ token: code, window: 1, timestamp }) : null
    if (delta === null) return false
    const step = Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
    // Each code works once, also for two concurrent sign-ins ("a code that is sent twice at once signs in once").
    const { numUpdatedRows } = await db
      .updateTable('identity.second_factors')
      .set({ last_step: step })
      .where('person_id', '=', personId)
      .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', BigInt(step))]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async function acceptRecoveryCode(personId: string, code: string): Promise<boolean> {
    // Codes of the app are wrong more often: they cost no slow hash.
    if (code.length !== RECOVERY_LENGTH) return false
    const hashes = [await hashSecret(personId, code), earlierHash(personId, code)]
    const { numUpdatedRows } = await db
      .updateTable('identity.recovery_codes')
      .set({ used_at: now() })
      .where('person_id', '=', personId)
      .where('code_hash', '=', anyOf(hashes))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** New recovery codes, which replace the old ones; shown once. */
  async function renewRecoveryCodes(personId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    const hashes = await Promise.all(codes.map((code) => hashSecret(personId, plain(code))))
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('identity.recovery_codes').where('person_id', '=', personId).execute()
      await tx
        .insertInto('identity.recovery_codes')
        .values(hashes.map((code_hash) => ({ person_id: personId, code_hash })))
        .execute()
    })
    return codes
  }

  return {
    urlOf: otpauthUrl,

    async state(personId: string): Promise<{ readonly on: boolean; readonly recovery_codes_left: number }> {
      const { rows } = await sql<{ on: boolean; left: bigint }>`
        select exists (select 1 from identity.second_factors where person_id = ${personId} and confirmed_at is not null) as on,
          (select count(*) from identity.recovery_codes where person_id = ${personId} and used_at is null) as left`.execute(db)
      const row = rows[0]
      return { on: row?.on === true, recovery_codes_left: row?.on === true ? Number(row.left) : 0 }
    },

    /** A new secret, which counts from its first code on; null when the second factor is on. Base32. */
    async begin(personId: string): Promise<string | null> {
      const secret = new Secret({ size: SECRET_BYTES }).base32
      const [sealed = ''] = await personal.seal([secret], personId, [])
      const begun = { secret: sealed, created_at: now() }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('identity.second_factors')
        .values({ person_id: personId, ...begun })
        .onConflict((conflict) =>
          conflict
            .column('person_id')
            .doUpdateSet({ ...begun, last_step: null })
            .where('identity.second_factors.confirmed_at', 'is', null),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n ? secret : null
    },

    /** Switches the second factor on with the first code: answers the recovery codes; null for a wrong code or nothing begun. */
    async confirm(personId: string, code: string): Promise<readonly string[] | null> {
      const factor = await factorOf(personId)
      if (factor === null || factor.confirmed || !(await acceptCode(personId, factor.secret, code))) return null
      const { numUpdatedRows } = await db
        .updateTable('identity.second_factors')
        .set({ confirmed_at: now() })
        .where('person_id', '=', personId)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n ? renewRecoveryCodes(personId) : null
    },

    renewRecoveryCodes,

    async remove(personId: string): Promise<void> {
      await db.deleteFrom('identity.recovery_codes').where('person_id', '=', personId).execute()
      await db.deleteFrom('identity.second_factors').where('person_id', '=', personId).execute()
    },

    /** Kind of a right code, of the app or an unused recovery code; null for a wrong one. It is used up. */
    async verify(personId: string, code: string): Promise<'app' | 'recovery' | null> {
      const factor = await factorOf(personId)
      if (factor === null || !factor.confirmed) return null
      const text = plain(code)
      if (await acceptCode(personId, factor.secret, text)) return 'app'
      return (await acceptRecoveryCode(personId, text)) ? 'recovery' : null
    },

    /** A token for the second step of a sign-in whose password was right. */
    async challenge({ personId, tokenVersion }: Challenged): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(Date.parse(now()) + CHALLENGE_MINUTES * 60_000).toISOString()
      await db
        .insertInto('identity.challenges')
        .values({ token_hash: hashToken(token), person_id: personId, token_version: tokenVersion, expires_at: expiresAt })
        .execute()
      return token
    },

    /** Counts an attempt at a challenge: its person; null when it is unknown, expired or was tried too often. */
    async attempt(challenge: string): Promise<Challenged | null> {
      const attempted = await db
        .updateTable('identity.challenges')
        .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
        .where('token_hash', '=', hashToken(challenge))
        .where('expires_at', '>', timestamptz(now()))
        .where('attempts', '<', MOST_ATTEMPTS)
        .returning(['person_id as personId', 'token_version as tokenVersion'])
        .executeTakeFirst()
      return attempted ?? null
    },

    /** The person of a challenge that may still be attempted; null for any other. */
    async personOf(challenge: string): Promise<string | null> {
      const found = await db
        .selectFrom('identity.challenges')
        .select('person_id')
        .where('token_hash', '=', hashToken(challenge))
        .where('expires_at', '>', timestamptz(now()))
        .where('attempts', '<', MOST_ATTEMPTS)
        .executeTakeFirst()
      return found?.person_id ?? null
    },

    async endChallenge(challenge: string): Promise<void> {
      await db.deleteFrom('identity.challenges').where('token_hash', '=', hashToken(challenge)).execute()
    },

    async purge(): Promise<void> {
      await db.deleteFrom('identity.challenges').where('expires_at', '<=', timestamptz(now())).execute()
    },
  }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

/** The address that authenticator apps read from a QR code. */
const otpauthUrl = (secret: string, issuer: string, label: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer, label, digits: 6, period: STEP_SECONDS, algorithm: 'SHA1' }).toString()

/** Two groups of five: about 49 random bits, under a slow hash. */
function newRecoveryCode(): string {
  const text = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** A code as typed, without spaces and hyphens. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

/** Hash of codes from before they had a slow hash: they work until new ones replace them. */
const earlierHash = (personId: string, code: string): string => createHash('sha256').update(`${personId} ${code}`).digest('hex')
