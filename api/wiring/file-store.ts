import type { Wired } from '../areas/services.ts'
import { ConfigFault } from '#commands/config-fault'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config } from '../config.ts'
import { usable } from './places.ts'
import type { BlobStore, RemoteBlobStore } from '#commands/files/media'
import { watchOutside, type Outside } from '#commands/outside'

/** A store that does not answer for this long stops the start, milliseconds. */
const START_TIMEOUT_MS = 5000

type Adapters = {
  readonly folder: (path: string) => BlobStore
  readonly s3: (url: string) => Promise<RemoteBlobStore>
}
type OpenDeps = Pick<Wired, 'logger' | 'stops'> & { readonly adapters: Adapters }
export type OpenedFiles = { readonly blobs: BlobStore; readonly outside: readonly Outside[] }

/** The file store that the configuration names. Throws ConfigFault with one line when it cannot be used. */
export async function openFileStore(
  { fileStore }: Pick<Config, 'fileStore'>,
  { adapters, logger, stops }: OpenDeps,
): Promise<OpenedFiles> {
  if (fileStore.kind === 'folder') {
    await usable({ setting: 'FILE_STORE_URL', path: fileStore.path })
    return { blobs: adapters.folder(fileStore.path), outside: [] }
  }
  const store = await adapters.s3(fileStore.url).catch((error: unknown) => {
    throw new ConfigFault(`FILE_STORE_URL: ${error instanceof Error ? error.message : String(error)}`)
  })
  stops.add(async () => store.close())
  await refuseUnusable(store)
  const outside = watchOutside({
    name: 'file store',
    ping: store.ping,
    isAbsence: store.isAbsence,
    isBusy: store.isBusy,
    causeOf: store.causeOf,
    whileAway: 'Uploads and files answer 503 until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  return { blobs: watched(store, outside), outside: [outside] }
}

async function refuseUnusable(store: RemoteBlobStore): Promise<void> {
  const late = delay(START_TIMEOUT_MS, 'no answer in 5 s', { ref: false })
  const cause = await Promise.race([store.check().then(() => null, store.causeOf), late])
  if (cause !== null) throw new ConfigFault(`FILE_STORE_URL: ${cause}`)
}

/** The same store, whose calls reject with Away while it is away. */
const watched = (store: BlobStore, { run }: Outside): BlobStore => ({
  put: (sha256, bytes) => run(() => store.put(sha256, bytes)),
  get: (sha256) => run(() => store.get(sha256)),
  length: (sha256) => run(() => store.length(sha256)),
  range: (sha256, range) => run(() => store.range(sha256, range)),
  remove: (sha256) => run(() => store.remove(sha256)),
  publish: (name, bytes) => run(() => store.publish(name, bytes)),
})
