import { ConfigFault } from '#commands/config-fault'
import { once } from 'node:events'
import { isLostConnection } from '#eventstore/postgres/connection-loss'
import { NewerDatabase } from '#migrations/index'
import { readConfig } from './config.ts'
import { startProduct, type StartPhase } from './compose.ts'
import { DEMO_PASSWORD, DEMO_PEOPLE } from './demo/people.ts'
import { nodeNotice } from './node-version.ts'

// Registered before anything starts, so that an early signal is handled.
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort())
// `npm start` holds this channel, and it closes however that process ends.
process.on('disconnect', () => stopping.abort())

/** Starts the roles of this process; after a stop signal, during the start or later, it finishes and closes them. */
async function main({ signal }: AbortController): Promise<void> {
  const config = readConfig(process.env)
  const notice = nodeNotice(process.version)
  if (notice !== null) console.warn(`\n  ${notice}`)
  const phases = reportPhases()
  const product = await startProduct(config, { threads: true, signal, onPhase: (phase) => phases.begin(phase) })
  phases.end()
  if (product.address !== null) {
    console.log(`\n  Placard is ready at ${product.address}\n`)
    if (config.demo) {
      console.log(`  Demo sign-ins, password ${DEMO_PASSWORD}:`)
      for (const { email, role } of DEMO_PEOPLE) console.log(`    ${email.padEnd(24)} ${role}`)
      console.log('')
    }
    if (product.setup !== null) {
      console.log(
        '  No administrator can sign in yet. This link sets the password of the first one; it works once, for 72 hours:',
      )
      console.log(`    ${product.setup.link}`)
      console.log(`    username ${product.setup.email}\n`)
    }
    if (config.mail.kind === 'outbox') console.log(`  Mails are files in ${config.mail.folder}\n`)
  } else console.log(`\n  Placard role ${config.role} is running, with its health at ${product.healthAddress}\n`)
  if (!signal.aborted) await once(signal, 'abort')
  await product.stop()
}

const PHASES: Readonly<Record<StartPhase, string>> = {
  database: 'Starting the database',
  tables: 'Bringing tables and read models up to date',
  demo: 'Filling the demo',
}

/** Prints a line for each phase of the start, with the seconds that it took. */
function reportPhases() {
  let open: { readonly name: string; readonly began: number } | null = null
  const end = () => {
    if (open !== null) console.log(`${open.name} … ${((performance.now() - open.began) / 1000).toFixed(1)} s`)
    open = null
  }
  return {
    begin(phase: StartPhase) {
      end()
      open = { name: PHASES[phase], began: performance.now() }
    },
    end,
  }
}

for (const last of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(last, (error: unknown) => {
    console.error(error)
    process.exit(1)
  })

main(stopping).then(
  () => process.exit(0),
  (error: unknown) => {
    if (error === stopping.signal.reason) process.exit(0)
    console.error(oneLine(error) ?? error)
    process.exit(1)
  },
)

/** Errors that the operator can fix are printed in one line, without a stack. */
function oneLine(error: unknown): string | null {
  if (error instanceof ConfigFault) return error.message
  if (error instanceof NewerDatabase) return `DATABASE_URL: ${error.message}`
  if (isLostConnection(error)) return 'DATABASE_URL: PostgreSQL went away during the start'
  if (!(error instanceof Error)) return null
  if (!('code' in error)) return error.cause === undefined ? null : oneLine(error.cause)
  if (error.code === 'EADDRINUSE') return 'PORT: the port is already in use'
  return error.code === 'EACCES' ? `PLACARD_DATA_DIR or PORT: ${error.message}` : null
}
