import { noteSigner } from '#proof/log/signed-note'
import { rotateLogKey } from '#platform/audit/log-head-store'
import { createLogTreeStore } from '#platform/audit/log-tree-store'
import { readConfig, type Config } from '../config.ts'
import { openDataKey } from '#platform/identity/kms-keys'
import { rotateKeys } from '#platform/identity/signing-keys'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run keys -- rotate                 creates a new key for access tokens; the present key verifies until its tokens expire
  npm run keys -- rotate --compromised   the same, but the present key stops verifying: clients must refresh their tokens
  npm run keys -- rotate-log [--compromised]   creates a new key for heads of the transparency log and prints it for verifiers; the
                                               present key signs beside it for 30 days, or no longer when it is compromised

Every process uses the new key within a minute, without a restart. Works on the embedded database in PLACARD_DATA_DIR, running or
stopped, or on DATABASE_URL. Keys in PLACARD_SIGNING_KEY, PLACARD_LOG_KEY and PLACARD_DATA_KEY are rotated in that variable: set
"new,old", later "new".`

/** The command line for signing keys. Exit code 0 when a key was made, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { compromised: { type: 'boolean', default: false } } })
  const [command, ...rest] = said?.positionals ?? []
  if (said === null || (command !== 'rotate' && command !== 'rotate-log') || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  if (command === 'rotate-log') return rotateLog(config, said.values)
  if (config.signingKeys.length > 0) {
    console.error('The signing keys are set by PLACARD_SIGNING_KEY: change it to "new,old" and restart the processes one by one.')
    return 1
  }
  return onDatabase(config, async (db) => {
    const kid = await rotateKeys({ db, dataKey: await openDataKey(config.dataKeys) }, said.values)
    console.log(said.values.compromised ? `Key ${kid} signs now.` : `Key ${kid} will sign in 30 seconds.`)
    return 0
  })
}

async function rotateLog(config: Config, { compromised }: { readonly compromised: boolean }): Promise<number> {
  const { keys, origin } = config.transparency
  if (keys.length > 0) {
    console.error('The keys of the log are set by PLACARD_LOG_KEY: change it to "new,old" and restart the processes one by one.')
    return 1
  }
  return onDatabase(config, async (db) => {
    const state = await createLogTreeStore(db, origin).state()
    console.log(await rotateLogKey(db, { makeSigner: noteSigner, origin: state.origin, compromised }))
    return 0
  })
}

void runTool(main)
