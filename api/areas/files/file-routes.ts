import type { FastifyInstance, FastifyReply } from 'fastify'
import * as contract from '../../contract/files.ts'
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
    for (const header of NOT_FOR_BANNERS) reply.raw.removeHeader(header)
    return send(reply, servedBanner(entry), entry)
  })

  type Blob = { readonly sha256: string; readonly bytes: number }
  async function send(reply: FastifyReply, headers: Readonly<Record<string, string>>, blob: Blob) {
    const { headers: asked } = reply.request
    const etag = `"${blob.sha256}"`
    const kept = { ...headers, ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable', 'Accept-Ranges': 'bytes' }
    if (asked['if-none-match'] === etag) return reply.headers(kept).code(304).send()
    const sameFile = asked['if-range'] === undefined || asked['if-range'] === etag
    const range = sameFile ? rangeOf(asked.range, blob.bytes) : 'whole'
    if (range === 'beyond') {
      void reply.header('Content-Range', `bytes */${blob.bytes}`)
      throw new RangeBeyond()
    }
    // Read before any header is set: a failed read must not be cached as the file (cache headers belong to successful answers).
    if (range === 'whole') {
      const bytes = await files.read(blob)
      return reply.headers(kept).send(bytes)
    }
    const bytes = await files.readRange(blob, range)
    return reply.headers(kept).code(206).header('Content-Range', `bytes ${range.from}-${range.to}/${blob.bytes}`).send(bytes)
  }
}

/** One byte range by RFC 9110: from an offset, or a suffix. Multiple ranges and other units get the whole file. */
function rangeOf(header: string | undefined, length: number): ByteRange | 'whole' | 'beyond' {
  const found = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/.exec(header ?? '')
  if (found === null) return 'whole'
  const last = length - 1
  if (found[3] !== undefined) {
    const suffix = Number(found[3])
    return suffix === 0 || length === 0 ? 'beyond' : { from: Math.max(0, length - suffix), to: last }
  }
  const from = Number(found[1])
  const to = found[2] ? Math.min(last, Number(found[2])) : last
  if (found[2] && Number(found[2]) < from) return 'whole'
  return from > last ? 'beyond' : { from, to }
}
