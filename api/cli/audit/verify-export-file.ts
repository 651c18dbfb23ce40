import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { verifyExport } from '#proof/offline/verify-export'

export const VERIFY_EXPORT_USAGE = `Usage:
  verify-export <file> --key <key> [--key <key>]   verifies an export of the log with public keys of the log, and of witnesses, alone

The file - is the standard input. Prints one JSON object. Exit code 0 when it is valid, 1 with faults, 2 for a wrong call, 3 when the file cannot be read.`

/** Progress is printed this often, milliseconds. */
const PRINT_MS = 2000

/** Verifies an export and prints the result; returns the exit code. Needs neither a database nor a network. */
export async function verifyExportFile(file: string, keys: readonly string[]): Promise<number> {
  let printed = Date.now()
  const progress = (bytes: number) => {
    if (Date.now() - printed < PRINT_MS) return
    printed = Date.now()
    process.stderr.write(`${(bytes / 1_000_000).toFixed(0)} MB read\n`)
  }
  try {
    const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 })
    const verified = await verifyExport(bytesOf(input), keys, progress)
    process.stdout.write(`${JSON.stringify(verified)}\n`)
    return verified.valid ? 0 : 1
  } catch (error) {
    process.stderr.write(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`)
    return 3
  }
}

/** The input as a stream of the web, which is read on demand. */
function bytesOf(input: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = input[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: () => void input.destroy(),
  })
}
