import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as contract from '../../contract/files.ts'
import { isKnown } from '../../kit/etag.ts'
import { authorize, homeOrChosen } from '../../kit/caller.ts'
import { ARCHIVE_LIMIT, SOUND_LIMIT, VIDEO_LIMIT, type ByteRange } from '../../kit/files/media.ts'
import { isScriptOfApplication, NOT_FOR_BANNERS, servedBanner, servedFile } from './serving.ts'
import type { FileRecord, Owner } from '../../kit/files/stored-files.ts'
import { createUploads, previewOf, urlOf } from './uploads.ts'
import type { Call } from '../../kit/call.ts'
import { theFile } from '../../kit/multipart.ts'
import { personOf } from '../../kit/person.ts'
import type { HttpKit } from '../../kit/kit.ts'
import { register } from '../../kit/register.ts'
import { RangeBeyond, refused } from '../../kit/refused.ts'

/** Uploads and stored files. */
export function registerFileRoutes(app: FastifyInstance, { accounts, files, guards, media }: HttpKit): void {
  const uploads = createUploads({ media, files })

  /** The owner of the new file; checked before the body is read. */
  async function ownerOf(
    call: Pick<Call<unknown, { readonly space_id?: string | undefined }>, 'identity' | 'query'>,
  ): Promise<Owner> {
    const actor = personOf(call)
    const spaceId = call.query.space_id ?? homeOrChosen(actor)
    const account = await accounts.opened(spaceId)
    const place = account === null ? null : { spaceId, whitelabelId: account.whitelabel_id }
    authorize(actor, 'campaign.write', place, call.query.space_id === undefined ? 110 : 1420)
    return { spaceId, userId: actor.userId }
  }

  const out = (file: FileRecord) => ({
    file_id: file.id,
    file_url: urlOf(file.id),
    width: file.width,
    height: file.height,
    size: file.bytes,
    content_type: file.content_type,
    format_key: media.formatKey(file.content_type),
    duration: file.seconds,
    name: file.name,
    preview_url: previewOf(file),
    warnings: [...file.warnings],
  })

  register(app, guards, contract.uploadBanner, async (call, reply) => {
    const owner = await ownerOf(call)
    const { width, height } = call.query
    const file = await theFile(reply.request, ARCHIVE_LIMIT)
    return call.once(file, async () => out(await uploads.banner(file, { width, height }, owner)))
  })
  register(app, guards, contract.uploadImage, async (call, reply) => {
    const owner = await ownerOf(call)
    const file = await theFile(reply.request, ARCHIVE_LIMIT)
    return call.once(file, async () => out(await uploads.plain(file, owner)))
  })
  register(app, guards, contract.uploadNative, async (call, reply) => {
    const owner = await ownerOf(call)
    const { width, height } = call.query
    const wanted = width === undefined || height === undefined ? null : { width, height }
    const file = await theFile(reply.request, ARCHIVE_LIMIT)
    return call.once(file, async () => out(await uploads.native(file, wanted, owner)))
  })
  register(app, guards, contract.uploadAudio, async (call, reply) => {
    const owner = await ownerOf(call)
    const file = await theFile(reply.request, SOUND_LIMIT)
    return call.once(file, async () => out(await uploads.audio(file, owner)))
  })
  register(app, guards, contract.uploadVideo, async (call, reply) => {
    const owner = await ownerOf(call)
    const file = await theFile(reply.request, VIDEO_LIMIT)
    return call.once(file, async () => out(await uploads.video(file, owner)))
  })

  register(app, guards, contract.readFile, async (call, reply) => {
    const record = await files.find(call.params.id)
    if (record === null) throw refused(132)
    return send(reply, servedFile(record), record)
  })

  register(app, guards, contract.playBanner, async (call, reply) => {
    const record = await files.find(call.params.id)
    const entry = Object.entries(record?.entries ?? {}).find(([path]) => path === call.params['*'])?.[1]
    if (entry === undefined || isScriptOfApplication(reply.request.headers)) throw refused(132)
    return send(reply, servedBanner(entry), entry, NOT_FOR_BANNERS)
  })

  type Blob = { readonly sha256: string; readonly bytes: number }
  /** Answers with the file, a part of it, or 304. Headers of the file are set once it has been read: they belong to no error. */
  async function send(
    reply: FastifyReply,
    headers: Readonly<Record<string, string>>,
    blob: Blob,
    without: readonly string[] = [],
  ) {
    const { request } = reply
    const etag = `"${blob.sha256}"`
    const all = { ...headers, ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable', 'Accept-Ranges': 'bytes' }
    const kept = () => {
      for (const header of without) reply.raw.removeHeader(header)
      return reply.headers(all)
    }
    const isHead = request.method === 'HEAD'
    // For HEAD a stream: Fastify replaces the length by that of any other payload.
    const nothing = isHead ? Readable.from([]) : undefined
    if (isKnown(request, etag)) return kept().code(304).send(nothing)
    if (isHead) {
      await files.check(blob)
      return kept().header('Content-Length', blob.bytes).send(nothing)
    }
    const ifRange = request.headers['if-range']
    const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, blob.bytes) : 'whole'
    if (range === 'beyond') {
      void reply.header('Content-Range', `bytes */${blob.bytes}`)
      throw new RangeBeyond()
    }
    if (range === 'whole') {
      const bytes = await files.read(blob)
      return kept().send(bytes)
    }
    const bytes = await files.readRange(blob, range)
    return kept().code(206).header('Content-Range', `bytes ${range.from}-${range.to}/${blob.bytes}`).send(bytes)
  }
}

/** One byte range by RFC 9110 §14.1.2: from an offset, or a suffix. Several ranges and other units get the whole file. */
function rangeOf(header: string | undefined, length: number): ByteRange | 'whole' | 'beyond' {
  const [, first, end, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header ?? '') ?? []
  const last = length - 1
  if (suffix !== undefined)
    return Number(suffix) === 0 || length === 0 ? 'beyond' : { from: Math.max(0, length - Number(suffix)), to: last }
  if (first === undefined) return 'whole'
  const from = Number(first)
  const to = end ? Number(end) : Infinity
  if (to < from) return 'whole'
  return from > last ? 'beyond' : { from, to: Math.min(last, to) }
}
