import { randomBytes } from 'node:crypto'
import { DATA_KEY_BYTES } from '#platform/identity/data-key'
import { makeKmsUrl } from '#platform/identity/kms-keys'
import { readArguments } from './arguments.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run -s data-key                                            32 random bytes in base64
  npm run -s data-key -- --kms aws-kms://eu-west-1/alias/placard   a data key that AWS KMS makes and opens, as a URL

Prints a value of PLACARD_DATA_KEY and stores it nowhere. What it sealed cannot be opened without it: keep it apart from backups. A
key of KMS is named by alias/<name>, its id or its ARN. "?endpoint=https://…" behind it names an endpoint of your own.`

/** Makes a data key (fine print 94). Exit code 0 when it was made, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ options: { kms: { type: 'string' } } })
  if (said === null) {
    console.error(USAGE)
    return 2
  }
  const { kms } = said.values
  console.log(kms === undefined ? randomBytes(DATA_KEY_BYTES).toString('base64') : await makeKmsUrl(kms))
  return 0
}

void runTool(main)
