import { ConfigFault, readConfig } from './config.ts'
import { startProduct } from './compose.ts'
import { DEMO_PASSWORD, DEMO_PEOPLE } from './demo/people.ts'

/** Starts the roles of this process and stops them on SIGTERM or SIGINT: finish, close, exit 0. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const product = await startProduct(config, { threads: true })
  if (product.address !== null) {
    console.log(`\n  Placard is ready at ${product.address}\n`)
    if (config.demo) {
      console.log(`  Demo sign-ins, password ${DEMO_PASSWORD}:`)
      for (const { email, role } of DEMO_PEOPLE) console.log(`    ${email.padEnd(24)} ${role}`)
      console.log('')
    }
  } else console.log(`\n  Placard's ${config.role} is at work\n`)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    product.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

for (const last of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(last, (error: unknown) => {
    console.error(error)
    process.exit(1)
  })

main().catch((error: unknown) => {
  console.error(oneLine(error) ?? error)
  process.exit(1)
})

/** Faults that whoever starts the product can mend are told in one line, not as a stack. */
function oneLine(error: unknown): string | null {
  if (error instanceof ConfigFault) return error.message
  if (!(error instanceof Error)) return null
  if (!('code' in error)) return error.cause === undefined ? null : oneLine(error.cause)
  if (error.code === 'EADDRINUSE') return 'PORT: something else is listening there already'
  if (error.code === 'EACCES') return `PLACARD_DATA_DIR or PORT: ${error.message}`
  return error.code === 'ECONNREFUSED' ? 'DATABASE_URL: no PostgreSQL answers there' : null
}
