/** A process that uses the embedded server of a folder until its input ends. Prints pid and url. */
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'

const server = await startEmbeddedPostgres({ dir: process.argv[2] ?? '' })
process.stdout.write(`${JSON.stringify({ pid: server.pid, url: server.url })}\n`)
process.stdin.on('end', () => void server.stop().then(() => process.exit(0)))
process.stdin.resume()
