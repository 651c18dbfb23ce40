import { PERSON_STATUS } from '#domain/registration/person-status'
import { languageKeyOf } from '#domain/kit/languages'
import type { DerivedId } from '#domain/kit/derived-id'
import type { AccountCommands } from '../account/account-commands.ts'
import type { RegistrationCommands } from './registration-commands.ts'
import { systemContext } from '#domain/kit/event-metadata'
import { createHash } from 'node:crypto'
import { normalized, registrationFaults } from '#domain/registration/form'
import { createRegistrations, idsOf, type RegistrationStore, type StoredForm } from './registrations.ts'
import { beginning } from '#domain/kit/text'
import type { ForeignFile } from '#commands/formats/table/foreign'
import { createTableReader, type RecordBounds, type TableFault } from '#commands/formats/table/reader'

const REQUIRED = ['email', 'first_name', 'last_name', 'phone', 'country'] as const
const COLUMNS = [...REQUIRED, 'company_name', 'currency', 'whitelabel_id', 'language'] as const
type Column = (typeof COLUMNS)[number]
/** Accounts between two lines of progress. */
const PROGRESS_EVERY = 100
/** Largest file, bytes. */
export const MOST_IMPORT_BYTES = 20 * 1024 * 1024
/** Problems that are printed, and characters that they show of a cell. */
const MOST_PRINTED = 100
const SHOWN = 60
/** Longest cell, characters: no field is longer. */
const LONGEST_CELL = 1000

type Row = { readonly line: number; readonly whitelabelId: string; readonly form: StoredForm }
type Problem = { readonly line: number; readonly column: string; readonly message: string }

export type ImportDeps = {
  readonly store: RegistrationStore
  readonly derivedId: DerivedId
  readonly now: () => string
  readonly commands: { readonly accounts: AccountCommands; readonly registrations: RegistrationCommands }
  readonly isCountry: (isoCode: string) => boolean
  readonly isWhiteLabel: (id: string) => boolean
  /** False: everything is checked, and nothing is changed. */
  readonly apply: boolean
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
}

/**
 * Adds the accounts of a table (`createTableReader`), as `account/add` does. Nothing is added while a row is wrong. Ids are derived from the address: a
 * file that was imported in part can be imported again.
 */
export async function importAccounts(bytes: Uint8Array, deps: ImportDeps): Promise<number> {
  const { apply, store, print, printError } = deps
  if (bytes.length > MOST_IMPORT_BYTES) {
    printError(`The file is larger than ${MOST_IMPORT_BYTES / 1024 ** 2} MB. Split it. Nothing was changed.`)
    return 1
  }
  const read = readRows(bytes, deps)
  if (read.problems.length > 0) {
    for (const { line, column, message } of read.problems.slice(0, MOST_PRINTED))
      printError(`line ${line}, column ${column}: ${message}`)
    printError(`${read.problems.length} problems in ${read.lines} rows. Nothing was changed.`)
    return 1
  }
  const known = new Set<Row>()
  for (const row of read.rows) if ((await store.personOfAddress(row.whitelabelId, row.form.email)) !== null) known.add(row)
  if (!apply) {
    for (const { line, form } of known) print(`line ${line}: ${form.email} exists and is skipped`)
    print(
      `${read.rows.length - known.size} accounts to add, ${known.size} to skip. Nothing was changed; add --apply to add them.`,
    )
    return 0
  }
  let added = 0
  for (const row of read.rows) {
    if (await addOne(row, deps)) added += 1
    if (added > 0 && added % PROGRESS_EVERY === 0) print(`${added} of ${read.rows.length} accounts added`)
  }
  print(`${added} accounts added, ${read.rows.length - added} skipped.`)
  return 0
}

/** False for an address that another user has. */
async function addOne({ whitelabelId, form }: Row, { store, derivedId, now, commands }: ImportDeps): Promise<boolean> {
  const id = derivedId('imported account', whitelabelId, createHash('sha256').update(form.email).digest('hex'))
  const ids = idsOf(derivedId, id)
  const context = { ...systemContext('registration', id), actor: 'system:import', source: 'import' as const }
  const request = { id, whitelabel_id: whitelabelId, person_id: ids.personId, context, form }
  const before = await store.personOfAddress(whitelabelId, form.email)
  if (before !== null && (before.id !== ids.personId || before.status_key !== PERSON_STATUS.unverified)) return false
  await store.addWithRequest(ids, request)
  await createRegistrations({ store, derivedId, now, commands }).carryOut(request)
  return true
}

/** The rows of the file, and everything that is wrong with it. */
function readRows(bytes: Uint8Array, { isCountry, isWhiteLabel }: Pick<ImportDeps, 'isCountry' | 'isWhiteLabel'>) {
  const problems: Problem[] = []
  const { rows: records, fault, line: lastLine } = readTable(bytes)
  const what = foreign(fault)
  if (what !== null) return { rows: [], problems: [{ line: 1, column: '-', message: `the file is ${what}` }], lines: 0 }
  const [header = { line: 1, cells: [] }, ...lines] = records
  const columns = header.cells.map((name) => name.toLowerCase())
  if (fault === 'quote') problems.push({ line: lastLine, column: '-', message: 'the last quote of the file is never closed' })
  for (const [at, name] of columns.entries())
    if (!(COLUMNS as readonly string[]).includes(name))
      problems.push({ line: header.line, column: shown(name), message: 'this column is not known' })
    else if (columns.indexOf(name) !== at) problems.push({ line: header.line, column: name, message: 'this column stands twice' })
  for (const name of REQUIRED)
    if (!columns.includes(name)) problems.push({ line: header.line, column: name, message: 'this column is missing' })
  const rows: Row[] = []
  const seen = new Map<string, number>()
  if (problems.length > 0) return { rows, problems, lines: lines.length }
  const columnOf = new Map(columns.map((name, at) => [name, at]))
  for (const { line, cells } of lines) {
    if (cells.length !== columns.length)
      problems.push({ line, column: '-', message: `${cells.length} cells, but the header has ${columns.length}` })
    const cell = (name: Column) => cells[columnOf.get(name) ?? -1] ?? ''
    const wrong = columns.filter((_, at) => (cells[at] ?? '').length > LONGEST_CELL || (cells[at] ?? '').includes('\0'))
    for (const column of wrong)
      problems.push({ line, column, message: `longer than ${LONGEST_CELL} characters, or with a NUL character` })
    if (wrong.length > 0) continue
    const whitelabelId = cell('whitelabel_id') || 'dsp'
    if (!isWhiteLabel(whitelabelId))
      problems.push({ line, column: 'whitelabel_id', message: `${shown(whitelabelId)} is not a white-label` })
    if (!['', 'en', 'ru'].includes(cell('language'))) problems.push({ line, column: 'language', message: 'en or ru' })
    const form = {
      email: cell('email'),
      first_name: cell('first_name'),
      last_name: cell('last_name'),
      phone: cell('phone'),
      country: cell('country').toUpperCase(),
      company_name: cell('company_name'),
      currency: cell('currency').toUpperCase(),
      agree_with_tos: true,
    }
    for (const { path, message } of registrationFaults(form, { whitelabelId, by: 'staff', isCountry }))
      problems.push({ line, column: path, message })
    const address = `${whitelabelId} ${form.email.toLowerCase()}`
    const first = seen.get(address)
    if (first !== undefined) problems.push({ line, column: 'email', message: `the same address as in line ${first}` })
    seen.set(address, first ?? line)
    rows.push({
      line,
      whitelabelId,
      form: { ...normalized(form, whitelabelId), language_key: languageKeyOf(cell('language')) },
    })
  }
  return { rows, problems, lines: lines.length }
}

/** The beginning of a text, without characters that a terminal would carry out. */
const shown = (text: string): string => beginning(text.slice(0, 2 * SHOWN).replaceAll(/\p{Cc}/gu, '?'), SHOWN)

/** The file is in memory, so a row may be as long as it. */
const BOUNDS: RecordBounds = { cells: MOST_IMPORT_BYTES, characters: MOST_IMPORT_BYTES }

type Line = { readonly line: number; readonly cells: readonly string[] }

/** The rows of the table with their lines; `fault` and the line where it is for a file that is none. */
function readTable(bytes: Uint8Array): {
  readonly rows: readonly Line[]
  readonly fault: TableFault | null
  readonly line: number
} {
  const rows: Line[] = []
  const table = createTableReader((cells, line) => void rows.push({ line, cells }), BOUNDS)
  table.write(bytes)
  table.end()
  return { rows, fault: table.fault(), line: table.line() }
}

const FOREIGN: Readonly<Record<ForeignFile, string>> = {
  workbook: 'an Excel workbook or a zip file. Save the sheet as CSV UTF-8',
  oldWorkbook: 'an old Excel workbook. Save the sheet as CSV UTF-8',
  pdf: 'a PDF. Bring the table that it was made from, as CSV',
  archive: 'a packed file. Unpack it',
  binary: 'no text. Bring a CSV file',
}
/** Kind of a file that holds no text; null for one that does. */
const foreign = (fault: TableFault | null): string | null => (fault !== null && isForeign(fault) ? FOREIGN[fault] : null)
const isForeign = (fault: TableFault): fault is ForeignFile => Object.hasOwn(FOREIGN, fault)
