import { createRegistrationStore } from '#platform/registration/registration-store'
import { createReadStream } from 'node:fs'
import type { Kysely } from 'kysely'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createRegistrationCommands } from '#commands/registration/registration-commands'
import { isEmail } from '#domain/kit/validators'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createClock } from '#platform/clock'
import { derivedId, newId } from '#platform/ids'
import { countryOffset } from '#platform/reference/countries'
import { readConfig, type Config } from '../config.ts'
import { createAdministrators, isStaffRole, type StaffRole } from '#platform/identity/administrators'
import { createLinks } from '../areas/white-label/links.ts'
import { createMailKeys } from '#platform/mail/mail-keys'
import { importAccounts, MOST_IMPORT_BYTES } from '#commands/registration/import-accounts'
import { resetSecondFactor } from '#platform/identity/reset-second-factor'
import { createWhiteLabels } from '../areas/white-label/white-labels.ts'
import { readArguments } from './arguments.ts'
import { onLog } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run accounts -- admin <address>             a link for a system administrator: works once, for 72 hours, and sets the password
  npm run accounts -- staff <address> --role WL_OWNER --white-label dsp
                                                  the same for staff: WL_OWNER, WL_MODERATOR, WHITELABEL_ACCOUNTANT or AUDITOR
  npm run accounts -- reset-second-factor <address> [--white-label dsp]
                                                  switches the second factor of a person off, who lost it; they get a mail
  npm run accounts -- import <file.csv>           checks a file of accounts and changes nothing
  npm run accounts -- import <file.csv> --apply   adds its accounts; each owner gets a mail with a link to set a password

The file is UTF-8 with a header. Columns: email, first_name, last_name, phone, country (required), company_name, currency,
whitelabel_id (am, ng, tn or dsp; dsp by default), language (en or ru). Accounts of addresses that exist are skipped, so a file can be
imported again. Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on DATABASE_URL.`

const COMMANDS: readonly string[] = ['admin', 'staff', 'import', 'reset-second-factor']

/** The command line for accounts. Exit code 0 when all is done, 1 when something is wrong with the input, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: {
      apply: { type: 'boolean', default: false },
      role: { type: 'string' },
      'white-label': { type: 'string', default: 'dsp' },
    },
  })
  const [command, subject, ...rest] = said?.positionals ?? []
  if (said === null || subject === undefined || rest.length > 0 || !COMMANDS.includes(command ?? '')) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  if (command !== 'import') {
    if (!isEmail(subject)) {
      console.error(`${subject} is not an email address.`)
      return 1
    }
    if (command === 'reset-second-factor') return onLog(config, (db) => reset(config, db, subject, said.values['white-label']))
    const role = command === 'admin' ? 'SYSTEM_ADMIN' : (said.values.role ?? '')
    if (!isStaffRole(role) || (command === 'staff' && role === 'SYSTEM_ADMIN')) {
      console.error(USAGE)
      return 2
    }
    return onLog(config, (db, store) => invite(config, db, store, { address: subject, role, label: said.values['white-label'] }))
  }
  const bytes = await beginningOf(subject, MOST_IMPORT_BYTES + 1)
  return onLog(config, async (db, store) => {
    const whiteLabels = await whiteLabelsOf(db)
    return importAccounts(bytes, {
      store: createRegistrationStore(db),
      derivedId,
      now: createClock(config.clockOffset),
      commands: commandsOn(config, store),
      isCountry: (code) => countryOffset(code) !== null,
      isWhiteLabel: (id) => whiteLabels.find(id) !== null,
      apply: said.values.apply,
      print: (line) => console.log(line),
      printError: (line) => console.error(line),
    })
  })
}

/** At most so many bytes of a file. */
async function beginningOf(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: most - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function whiteLabelsOf(db: Kysely<Db>) {
  const whiteLabels = createWhiteLabels(db)
  await whiteLabels.refresh()
  return whiteLabels
}

function commandsOn(config: Config, store: EventStore) {
  const now = createClock(config.clockOffset)
  const handle = createHandler({ store, now, eventId: (commandId, n) => derivedId('event', commandId, String(n)) })
  return { accounts: createAccountCommands(handle), registrations: createRegistrationCommands(handle) }
}

async function reset(config: Config, db: Kysely<Db>, address: string, label: string): Promise<number> {
  const kit = { db, now: createClock(config.clockOffset), newId }
  const done = await resetSecondFactor(kit, { address, whitelabelId: label }, { by: 'command line' })
  if (done) console.log(`The second factor of ${address} is off, and their passkeys are removed. They get a mail about it.`)
  else console.error(`No one with the address ${address} has a second factor or a passkey in the white-label ${label}.`)
  return done ? 0 : 1
}

type Wanted = { readonly address: string; readonly role: StaffRole; readonly label: string }

async function invite(config: Config, db: Kysely<Db>, store: EventStore, { address, role, label }: Wanted): Promise<number> {
  const whiteLabels = await whiteLabelsOf(db)
  const whiteLabel = whiteLabels.find(label)
  if (whiteLabel === null) {
    console.error(`There is no white-label ${label}.`)
    return 1
  }
  const invited = await createAdministrators({
    db,
    accounts: commandsOn(config, store).accounts,
    derivedId,
    mailKeys: createMailKeys(db, createClock(config.clockOffset)),
    links: createLinks({ ...config, whiteLabels }),
  }).invite(address, { role, whiteLabel })
  if (invited === null) {
    console.error(`${address} has an account already. Its owner can use "Forgot password".`)
    return 1
  }
  console.log(`Open this link within 72 hours to set the password of ${invited.email}. It works once:\n\n  ${invited.link}\n`)
  return 0
}

void runTool(main)
