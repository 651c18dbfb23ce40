import { sql, type Kysely } from 'kysely'

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'app.mails': ['address'],
  'identity.legal_entities': [
    'legal_entity_name',
    'tin_number',
    'address_line_1',
    'address_line_2',
    'city',
    'postal_code',
    'invoice_email',
  ],
  'identity.people': ['phone'],
}

/** From here on, these columns may be sealed (fine print 94): a text that only looks so is marked as plain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(TEXTS))
    for (const column of columns)
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = 'sealed.plain.' || ${sql.ref(column)}
        where starts_with(${sql.ref(column)}, 'sealed.')`.execute(db)
}
