import { Readable } from 'node:stream'
import { openS3 } from '../files/s3-client.ts'
import { readS3Url } from '../files/s3-url.ts'
import type { Place } from './place.ts'

/** Longest silence of the store while a part is sent, milliseconds. */
const SILENCE_MS = 60_000
const ATTEMPTS = 5
/** A file has at most 10,000 parts: 320 GB. Two at once are in memory. */
const PART_BYTES = 32 * 1024 * 1024
const PARTS_AT_ONCE = 2

/**
 * Backups in a bucket of S3, by the URL of `createS3Files`. A file is there once it was sent whole, and a backup once its manifest is,
 * which is written last.
 */
export async function createS3Place(url: string): Promise<Place> {
  const place = readS3Url(url)
  const { bucket, prefix } = place
  const { client, commands } = await openS3(place, { silenceMs: SILENCE_MS, attempts: ATTEMPTS })
  const { Upload } = await import('@aws-sdk/lib-storage')
  const objectOf = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''

  const write = async (name: string, source: Readable): Promise<void> => {
    const upload = new Upload({
      client,
      params: { ...objectOf(name), Body: source, ContentType: 'application/octet-stream' },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    })
    // A failed upload leaves no parts behind to be paid for.
    await upload.done()
  }

  return {
    addressOf: (backup) => `s3://${bucket}/${prefix}${backup}${query}`,
    begin: async (backup) => ({ write: (file, source) => write(`${backup}/${file}`, source), finish: async () => {} }),
    async names(folder) {
      const found = new Set<string>()
      let ContinuationToken: string | undefined
      do {
        const Prefix = `${prefix}${folder}/`
        const page = await client.send(new commands.ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }))
        for (const { Key = '' } of page.Contents ?? []) found.add(Key.slice(prefix.length))
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
      return found
    },
    write,
    async read(name) {
      try {
        const { Body } = await client.send(new commands.GetObjectCommand(objectOf(name)))
        return Body instanceof Readable ? Body : Readable.from([])
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return null
        throw error
      }
    },
    close: () => client.destroy(),
  }
}
