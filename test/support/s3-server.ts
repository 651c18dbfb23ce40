import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { vi } from 'vitest'
import S3rver, { type S3Store } from 's3rver'

/** The only account of the server: both halves of its key. */
export const S3_CREDENTIALS = 'S3RVER'
const OBJECT = '._S3rver_object'

export type S3Server = {
  readonly bucket: string
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  /** Where the bucket lies. */
  readonly folder: string
  /** The keys of all objects in the bucket. */
  readonly keys: () => Promise<readonly string[]>
  /** The number of objects sent since the start. */
  readonly sent: () => number
  /** The number of bytes of objects read since the start, but for the probe. */
  readonly read: () => number
  /** Replaces the bytes of an object directly in the server. */
  readonly corrupt: (key: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** An S3 server in this process with one bucket in a temporary folder. */
export async function startS3Server(): Promise<S3Server> {
  const bucket = 'placard-test'
  const directory = await mkdtemp(path.join(tmpdir(), 'placard-s3-'))
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] })
  let sent = 0
  let read = 0
  const putWhole = wholePut(server.store)
  server.store.putObject = (object) => {
    sent += 1
    return putWhole(object)
  }
  const getObject = server.store.getObject.bind(server.store)
  server.store.getObject = async (...asked) => {
    const found = await getObject(...asked)
    // The product reads its probe whenever it is due.
    const isProbe = asked[1].endsWith('placard-probe')
    if (!isProbe && found?.content instanceof Readable) found.content.on('data', (chunk: Buffer) => (read += chunk.length))
    return found
  }
  const { port } = await server.run()
  return {
    bucket,
    folder: path.join(directory, bucket),
    endpoint: `http://127.0.0.1:${port}`,
    async keys() {
      const root = path.join(directory, bucket)
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.name.endsWith(OBJECT))
        .map((entry) => path.join(path.relative(root, entry.parentPath), entry.name.slice(0, -OBJECT.length)))
    },
    sent: () => sent,
    read: () => read,
    corrupt: (key) => writeFile(server.store.getResourcePath(bucket, key, 'object'), 'other bytes'),
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Sets the variables from which the SDK takes its credentials; `vi.unstubAllEnvs` resets them. */
export function useCredentials(key: string, secret = key): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', key)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)
  // Credentials of the environment would be used instead.
  vi.stubEnv('AWS_PROFILE', undefined)
  vi.stubEnv('AWS_SESSION_TOKEN', undefined)
}

/** Like S3, answers only once an object is complete; s3rver itself answers before its file is written. */
function wholePut(store: S3Store): S3Store['putObject'] {
  let writes = 0
  return async ({ bucket, key, content, metadata }) => {
    const chunks: Uint8Array[] = []
    if (Buffer.isBuffer(content)) chunks.push(content)
    else for await (const chunk of content) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const target = store.getResourcePath(bucket, key, 'object')
    const temporary = `${target}.${(writes += 1)}`
    const md5 = createHash('md5').update(bytes).digest('hex')
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(temporary, bytes)
    await rename(temporary, target)
    await store.putMetadata(bucket, key, metadata, md5)
    return { size: bytes.length, md5 }
  }
}
