import { setTimeout as delay } from 'node:timers/promises'
import { checkPublishedName, type RemoteBlobStore } from '#commands/files/media'
import { blobPath, verified } from './disk-files.ts'
import { causeOf, isAbsence, isBusy, isTransient, statusOf } from './s3-faults.ts'
import { openS3 } from './s3-client.ts'
import { readS3Url } from './s3-url.ts'

const ATTEMPTS = 3
/** Longest time to connect, and longest silence of an open connection, milliseconds. */
const SILENCE_MS = 2500
const PAUSE_MS = 100
/** All attempts of one call together: its callers get an answer within ten seconds. */
const CALL_MS = 8500
const PING_MS = 1900
/** Written at each start, which shows the right to write, and read by pings. Nothing else needs it. */
const PROBE = 'placard-probe'

/**
 * Files in an S3 bucket, named as on disk:
 * `s3://bucket/optional/prefix?endpoint=http://host:port&region=eu-west-1&path_style=true`. The region is us-east-1 by default;
 * path style is the default with an endpoint. Credentials come from the SDK's usual sources (AWS_ACCESS_KEY_ID and so on).
 * Throws when the URL is not of that form, without repeating it. Each call is tried three times within 8.5 s, and fails when the
 * hash is malformed; `get` also when the object is missing or its bytes have another hash.
 */
export async function createS3Files(url: string): Promise<RemoteBlobStore> {
  const place = readS3Url(url)
  const { bucket, prefix } = place
  // The SDK's own retries end for all calls once the first few have used them up.
  const { client, commands } = await openS3(place, { silenceMs: SILENCE_MS, attempts: 1 })
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } = commands
  const placeOf = (sha256: string) => ({ Bucket: bucket, Key: `${prefix}${blobPath(sha256)}` })
  const probe = { Bucket: bucket, Key: `${prefix}${PROBE}` }

  const read = (
    object: { readonly Bucket: string; readonly Key: string; readonly Range?: string },
    ms: number,
  ): Promise<Buffer> =>
    attempts(ms, async (abortSignal) => {
      const { Body } = await client.send(new GetObjectCommand(object), { abortSignal })
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    })

  const readFile = async (sha256: string, range: { readonly Range?: string }): Promise<Buffer> => {
    const object = { ...placeOf(sha256), ...range }
    try {
      return await read(object, CALL_MS)
    } catch (error) {
      if (isMissing(error)) throw new Error(`file ${sha256} is missing`, { cause: error })
      throw error
    }
  }

  /** The length by HEAD, whose answer does not say why it refuses: null for a missing object and for any refusal. */
  const headLength = async (sha256: string): Promise<number | null> => {
    const object = placeOf(sha256)
    try {
      const { ContentLength } = await attempts(CALL_MS, (abortSignal) =>
        client.send(new HeadObjectCommand(object), { abortSignal }),
      )
      return ContentLength ?? null
    } catch (error) {
      if (statusOf(error) === null || isTransient(error)) throw error
      return null
    }
  }

  const readProbe = async (ms: number): Promise<void> => {
    await read(probe, ms).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  const writeProbe = async (ms: number): Promise<void> => {
    const written = { ...probe, Body: 'Shows that this store can be written and read.\n' }
    await attempts(ms, (abortSignal) => client.send(new PutObjectCommand(written), { abortSignal }))
  }

  return {
    async put(sha256, bytes) {
      // An upload that a server kept half of is sent again. A refusal is reported by the put.
      if ((await headLength(sha256)) === bytes.length) return
      const content = { Body: bytes, ContentLength: bytes.length, ContentType: 'application/octet-stream' }
      const object = { ...placeOf(sha256), ...content }
      await attempts(CALL_MS, (abortSignal) => client.send(new PutObjectCommand(object), { abortSignal }))
    },
    async publish(name, bytes) {
      checkPublishedName(name)
      const content = { Body: bytes, ContentLength: bytes.length, ContentType: 'text/plain; charset=utf-8' }
      const object = { Bucket: bucket, Key: `${prefix}${name}`, ...content }
      await attempts(CALL_MS, (abortSignal) => client.send(new PutObjectCommand(object), { abortSignal }))
    },
    get: async (sha256) => verified(sha256, await readFile(sha256, {})),
    async length(sha256) {
      const length = await headLength(sha256)
      if (length !== null) return length
      try {
        return (await read(placeOf(sha256), CALL_MS)).length
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async range(sha256, { from, to }) {
      const bytes = await readFile(sha256, { Range: `bytes=${from}-${to}` })
      // A store may know no ranges, or hold half of the file.
      if (bytes.length !== to - from + 1) throw new Error(`file ${sha256} has no bytes ${from} to ${to}`)
      return bytes
    },
    async remove(sha256) {
      const object = placeOf(sha256)
      await attempts(CALL_MS, (abortSignal) => client.send(new DeleteObjectCommand(object), { abortSignal }))
    },
    async check() {
      await writeProbe(CALL_MS)
      await readProbe(CALL_MS)
    },
    async ping() {
      try {
        await readProbe(PING_MS).catch((error: unknown) => {
          if (nameOf(error) !== 'AccessDenied') throw error
          // Without the right to list the bucket, S3 answers so when the object was removed.
          return writeProbe(PING_MS)
        })
      } catch (error) {
        throw new Error(causeOf(error, place), { cause: error })
      }
    },
    isAbsence,
    isBusy,
    causeOf: (error) => causeOf(error, place),
    close: () => client.destroy(),
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')
const isMissing = (error: unknown): boolean => nameOf(error) === 'NoSuchKey'

/** Sends a call up to three times, with growing pauses, within so many milliseconds. Refusals are not sent again. */
async function attempts<T>(ms: number, send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const abortSignal = AbortSignal.timeout(ms)
  for (let failures = 1; ; failures += 1) {
    try {
      return await send(abortSignal)
    } catch (error) {
      if (failures === ATTEMPTS || abortSignal.aborted || !isTransient(error)) throw error
      // Half of each pause is random: the calls of an outage do not return together.
      await delay(PAUSE_MS * 3 ** (failures - 1) * (0.5 + Math.random()))
    }
  }
}
