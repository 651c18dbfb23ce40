// Writes a Brotli and a gzip copy of every text file of the built application, or of the given folder, at the best compression, so that
// no request compresses. Pages are compressed with the brand of their host, when they are served.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './build-if-needed.mjs'

const folder = resolve(root, process.argv[2] ?? 'dist/web')
/** Smaller files gain nothing, bytes. */
const LEAST = 1024

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name))

for (const file of files) {
  const bytes = readFileSync(file)
  if (bytes.length < LEAST) continue
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
