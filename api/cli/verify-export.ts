import { VERIFY_EXPORT_USAGE, verifyExportFile } from './audit/verify-export-file.ts'
import { readArguments } from './arguments.ts'

/** The verifier of exports as one script that needs nothing of Placard: the build bundles it. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { key: { type: 'string', multiple: true } } })
  const [file, ...others] = said?.positionals ?? []
  const keys = said?.values.key ?? []
  if (file === undefined || others.length > 0 || keys.length === 0) {
    console.error(VERIFY_EXPORT_USAGE)
    return 2
  }
  return verifyExportFile(file, keys)
}

void main().then((code) => {
  process.exitCode = code
})
