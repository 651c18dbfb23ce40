import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDiskFiles } from '#platform/files/disk-files'
import { blobStoreContract } from './blob-store.contract.ts'

blobStoreContract('disk', async () => {
  // The store is a subfolder of the counted folder, so that files written outside the store are counted.
  const around = await mkdtemp(path.join(tmpdir(), 'placard-files-'))
  const folder = path.join(around, 'files')
  await mkdir(folder)
  return {
    store: createDiskFiles(folder),
    corrupt: (sha256) => writeFile(path.join(folder, sha256.slice(0, 2), sha256), 'other bytes'),
    count: async () => (await readdir(around, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length,
    close: () => rm(around, { recursive: true, force: true }),
  }
})
