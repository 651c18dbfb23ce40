import { readConfig } from '../config.ts'
import { rotateKeys } from '#platform/identity/signing-keys'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'

const USAGE = `Usage:
  npm run keys -- rotate                 creates a new key for access tokens; the present key verifies until its tokens expire
  npm run keys -- rotate --compromised   the same, but the present key stops verifying: clients must refresh their tokens

Every process uses the new key within a minute, without a restart. Works on the embedded database in PLACARD_DATA_DIR, running or
stopped, or on DATABASE_URL. Keys in PLACARD_SIGNING_KEY are rotated in that variable: set "new,old", later "new".`

/** The command line for signing keys. Exit code 0 when a key was made, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { compromised: { type: 'boolean', default: false } } })
  const [command, ...rest] = said?.positionals ?? []
  if (said === null || command !== 'rotate' || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  if (config.signingKeys.length > 0) {
    console.error('The signing keys are set by PLACARD_SIGNING_KEY: change it to "new,old" and restart the processes one by one.')
    return 1
  }
  return onDatabase(config, async (db) => {
    const kid = await rotateKeys(db, said.values)
    console.log(said.values.compromised ? `Key ${kid} signs now.` : `Key ${kid} will sign in 30 seconds.`)
    return 0
  })
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
