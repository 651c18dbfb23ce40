import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SEALED_COLUMNS, type SealedTable } from '#eventstore/postgres/sealed-columns'
import type { Table } from '#projections/projector/table'
import { READ_MODEL_TABLES } from '#projections/read-models'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Names of columns that hold phone numbers, addresses, tax numbers and names of people. */
const PERSONAL =
  /^(phone|mobile|e?mail|.*_email|.*address.*|street|city|postal.*|zip|tin_.*|.*tax_number|(first|last|full|holder|company)_name|.*entity_name|search_text|.*birth.*)$/

/** Columns of text or JSON by "table.column", from the generated types and the tables of read models. */
function columns(): readonly string[] {
  const text = read('migrations/db.ts')
  const tables = new Map([...text.matchAll(/^ {2}'?([\w.]+)'?: (\w+)$/gm)].map(([, table = '', type = '']) => [type, table]))
  const projected = Object.entries<Table>(READ_MODEL_TABLES).flatMap(([table, declared]) =>
    Object.keys(declared.columns).map((name) => `rm_${table}.${name}`),
  )
  const stored = [...text.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm)].flatMap(([, type = '', body = '']) =>
    [...body.matchAll(/^ {2}(\w+): (.+)$/gm)]
      .filter(([, , of = '']) => tables.has(type) && /\b(string|Json|Sealed|SealedJson)\b/.test(of) && !/'\w+'/.test(of))
      .map(([, column = '']) => `${tables.get(type)}.${column}`),
  )
  return [...stored, ...projected]
}

/** What docs/privacy.md states of each column that it names. */
const stated = new Map(
  [...read('docs/privacy.md').matchAll(/^\| (`[^|]+`) \| (sealed|plain) \|/gm)].flatMap(([, names = '', how = '']) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => [name, how] as const),
  ),
)
const sealed = Object.entries<SealedTable>(SEALED_COLUMNS).flatMap(([table, { texts, json }]) =>
  [...texts, ...json].map((column) => `${table}.${column}`),
)

/** Fine print 94. */
describe('docs/privacy.md', () => {
  it('says of every column with a phone number, an address or a name whether it is sealed', () => {
    const personal = columns().filter((name) => PERSONAL.test(name.split('.').at(-1) ?? ''))
    expect(personal).toEqual(expect.arrayContaining(['identity.people.email', 'app.cards.holder_name', 'app.mails.address']))
    expect(personal.filter((name) => !stated.has(name))).toEqual([])
  })

  it('calls those columns sealed that are, and no others', () => {
    expect(
      [...stated]
        .filter(([, how]) => how === 'sealed')
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(sealed.toSorted())
    expect([...stated.keys()].filter((name) => !columns().includes(name))).toEqual([])
  })
})
