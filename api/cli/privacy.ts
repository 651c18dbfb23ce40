import { ERASERS } from '../areas/index.ts'
import { createInterface } from 'node:readline/promises'
import { readConfig } from '../config.ts'
import { erasePerson, findPeople } from '#platform/identity/erasure'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run privacy -- erase <email or id> [--yes]   erases a user permanently: key, names, address, phone, password, sessions

Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on DATABASE_URL. Asks for a confirmation unless --yes is
given. Campaigns and their log stay, with the id of the user. Older backups still contain the data.`

/** The privacy command line. Exit code 0 when the person is erased, now or before; 1 when not; 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { yes: { type: 'boolean', default: false } } })
  const [command, who, ...rest] = said?.positionals ?? []
  if (said === null || command !== 'erase' || who === undefined || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  return onDatabase(readConfig(process.env), async (db) => {
    const [person, ...others] = await findPeople(db, who)
    if (person === undefined) {
      console.error(`No user matches ${who}. Erased users are found by id only.`)
      return 1
    }
    if (others.length > 0) {
      console.error(`${who} matches more than one user. Use the id:`)
      for (const { id, whitelabel_id } of [person, ...others]) console.error(`  ${id} (white-label ${whitelabel_id})`)
      return 1
    }
    if (person.erased_at === null && !said.values.yes && !(await confirmed(person.email, person.id))) {
      console.error('Nothing was erased.')
      return 1
    }
    // Also for a person erased before: an old backup may have restored something.
    const { key, sessions, answers } = await erasePerson(db, person.id, ERASERS)
    console.log(
      person.erased_at === null ? `Erased user ${person.id}:` : `User ${person.id} was already erased at ${person.erased_at}.`,
    )
    if (person.erased_at === null) console.log('  names, address, phone and password')
    if (key) console.log('  the key of the personal data that this user entered')
    if (person.erased_at === null || sessions > 0) console.log(`  ${sessions} sessions`)
    if (person.erased_at === null) console.log(`  ${answers} stored answers of all users, since any of them may name this one`)
    return 0
  })
}

async function confirmed(email: string, id: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // End of input means no: otherwise the question would wait forever.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(`Erase ${email} (${id}) permanently? Type "erase" to continue: `), closed])
  terminal.close()
  return answer.trim() === 'erase'
}

void runTool(main)
