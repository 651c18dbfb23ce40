import type { Kysely } from 'kysely'
import type { LegalField } from '#domain/account/account'
import { NOW } from '#eventstore/postgres/expressions'
import { sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'

/** Stores the legal entity of an account. */
export const createLegalEntities = (db: Kysely<Db>) => ({
  async store(spaceId: string, entity: Readonly<Record<LegalField, string>>): Promise<void> {
    const { country, ...rest } = entity
    const stored = { country, ...sealRow(db, 'identity.legal_entities', spaceId, rest) }
    await db
      .insertInto('identity.legal_entities')
      .values({ space_id: spaceId, ...stored })
      .onConflict((conflict) => conflict.column('space_id').doUpdateSet({ ...stored, updated_at: NOW }))
      .execute()
  },
})
export type LegalEntities = ReturnType<typeof createLegalEntities>
