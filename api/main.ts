import { ConfigFault } from '#commands/config-fault'
import { once } from 'node:events'
import { isLostConnection } from '#eventstore/postgres/connection-loss'
import { UnfitDatabase } from '#migrations/index'
import { readConfig } from './config.ts'
import { startProduct, type StartPhase } from './compose.ts'
import { DEMO_PASSWORD, DEMO_PEOPLE } from './demo/people.ts'
import { nodeNotice } from './node-version.ts'
import { endOnUncaught, reportLast } from './http/last-words.ts'
import { createLogger } from './process/logger.ts'
import { listenFault } from './wiring/places.ts'

// Registered before anything starts, so that an early signal is handled.
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort())
// `npm start` holds this channel, and it closes however that process ends.
process.on('disconnect', () => stopping.abort())

/** A process of one role writes lines of JSON alone, which a collector of logs reads; `npm start` writes to a person. */
const isPart = !['', 'all'].includes(process.env['PLACARD_ROLE'] ?? '')
const lines = createLogger(process.env['LOG_LEVEL'] === 'silent' ? 'silent' : 'info')
const say = (text: string): void => (isPart ? lines.info(text.trim()) : console.log(text))
if (isPart) {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => lines.warn(`${name}: ${message}`))
}

/** Starts the roles of this process; after a stop signal, during the start or later, it finishes and closes them. */
async function main({ signal }: AbortController): Promise<void> {
  const config = readConfig(process.env)
  const notice = nodeNotice(process.version)
  if (notice !== null && isPart) lines.warn(notice)
  else if (notice !== null) console.warn(`\n  ${notice}`)
  const phases = reportPhases()
  const product = await startProduct(config, { threads: true, signal, onPhase: (phase) => phases.begin(phase) })
  phases.end()
  if (product.address !== null) say(`\n  Placard is ready at ${product.address}\n`)
  else say(`Placard role ${config.role} is running, with its health at ${product.healthAddress}`)
  if (config.demo && !isPart) {
    console.log(`  Demo sign-ins, password ${DEMO_PASSWORD}:`)
    for (const { email, role } of DEMO_PEOPLE) console.log(`    ${email.padEnd(24)} ${role}`)
    console.log('')
  }
  if (product.setup !== null)
    say(
      `  No administrator can sign in yet. The link that sets the password of ${product.setup.email} is in ${product.setup.file}; it works once, for 72 hours\n`,
    )
  if (config.mail.kind === 'outbox') say(`  Mails are files in ${config.mail.folder}\n`)
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
    if (open !== null) say(`${open.name} … ${((performance.now() - open.began) / 1000).toFixed(1)} s`)
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

endOnUncaught()

main(stopping).then(
  () => process.exit(0),
  (error: unknown) => {
    if (error === stopping.signal.reason) process.exit(0)
    const line = oneLine(error)
    if (isPart) reportLast(error, line ?? undefined)
    else console.error(line ?? error)
    process.exit(1)
  },
)

/** Errors that the operator can fix are printed in one line, without a stack. */
function oneLine(error: unknown): string | null {
  if (error instanceof ConfigFault) return error.message
  if (error instanceof UnfitDatabase) return `DATABASE_URL: ${error.message}`
  if (isLostConnection(error)) return 'DATABASE_URL: PostgreSQL went away during the start'
  if (!(error instanceof Error)) return null
  if (!('code' in error)) return error.cause === undefined ? null : oneLine(error.cause)
  // The places were tried before; another process may have taken the port since.
  return listenFault(error, { host: process.env['HOST'] ?? '', port: Number(process.env['PORT']) })?.message ?? null
}
