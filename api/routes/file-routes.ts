import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/multipart'
import * as contract from '../contract/files.ts'
import { authorize, homeOrChosen } from '../campaigns/caller.ts'
import type { Accounts } from '../world.ts'
import { ARCHIVE_LIMIT, SOUND_LIMIT, VIDEO_LIMIT } from '../files/media.ts'
import { NOT_FOR_BANNERS, servedBanner, servedFile } from '../files/serving.ts'
import type { FileRecord, Owner, StoredFiles } from '../files/stored-files.ts'
import { previewOf, urlOf, type Incoming, type Uploads } from '../files/uploads.ts'
import type { Call } from '../http/call.ts'
import { readParts } from '../http/multipart.ts'
import { personOf } from '../http/person.ts'
import { register, type Doorkeepers } from '../http/register.ts'
import { refused } from '../refused.ts'

export type FileRouteDeps = {
  readonly uploads: Uploads
  readonly files: StoredFiles
  readonly accounts: Pick<Accounts, 'opened'>
  /** Key of an image format, by content type (platform.md §3); null for what is no image. */
  readonly formatKey: (contentType: string) => number | null
}

/** Uploads and the files they leave. */
export function registerFileRoutes(app: FastifyInstance, doors: Doorkeepers, deps: FileRouteDeps): void {
  const { uploads, files } = deps

  /** Whose the file will be; asked before a byte of it is read. */
  async function ownerOf(
    call: Pick<Call<unknown, { readonly space_id?: string | undefined }>, 'identity' | 'query'>,
  ): Promise<Owner> {
    const actor = personOf(call)
    const spaceId = call.query.space_id ?? homeOrChosen(actor)
    const account = await deps.accounts.opened(spaceId)
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
    format_key: deps.formatKey(file.content_type),
    duration: file.seconds,
    name: file.name,
    preview_url: previewOf(file),
    warnings: [...file.warnings],
  })

  register(app, doors, contract.uploadBanner, async (call, reply) => {
    const owner = await ownerOf(call)
    const { width, height } = call.query
    return out(await uploads.banner(await theFile(reply.request, ARCHIVE_LIMIT), { width, height }, owner))
  })
  register(app, doors, contract.uploadImage, async (call, reply) => {
    const owner = await ownerOf(call)
    return out(await uploads.plain(await theFile(reply.request, ARCHIVE_LIMIT), owner))
  })
  register(app, doors, contract.uploadNative, async (call, reply) => {
    const owner = await ownerOf(call)
    const { width, height } = call.query
    const wanted = width === undefined || height === undefined ? null : { width, height }
    return out(await uploads.native(await theFile(reply.request, ARCHIVE_LIMIT), wanted, owner))
  })
  register(app, doors, contract.uploadAudio, async (call, reply) => {
    const owner = await ownerOf(call)
    return out(await uploads.audio(await theFile(reply.request, SOUND_LIMIT), owner))
  })
  register(app, doors, contract.uploadVideo, async (call, reply) => {
    const owner = await ownerOf(call)
    return out(await uploads.video(await theFile(reply.request, VIDEO_LIMIT), owner))
  })

  register(app, doors, contract.readFile, async (call, reply) => {
    const record = await files.find(call.params.id)
    if (record === null) throw refused(132)
    return send(reply, servedFile(record), record)
  })

  register(app, doors, contract.playBanner, async (call, reply) => {
    const record = await files.find(call.params.id)
    const entry = Object.entries(record?.entries ?? {}).find(([path]) => path === call.params['*'])?.[1]
    if (entry === undefined) throw refused(132)
    for (const header of NOT_FOR_BANNERS) reply.removeHeader(header)
    return send(reply, servedBanner(entry), entry)
  })

  async function send(reply: FastifyReply, headers: Readonly<Record<string, string>>, blob: { readonly sha256: string }) {
    const etag = `"${blob.sha256}"`
    void reply.headers({ ...headers, ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable' })
    if (reply.request.headers['if-none-match'] === etag) return reply.code(304).send()
    const bytes = await files.read(blob)
    void reply.header('Accept-Ranges', 'bytes')
    const range = rangeOf(reply.request.headers.range, bytes.length)
    if (range === null) return reply.send(bytes)
    return reply
      .code(206)
      .header('Content-Range', `bytes ${range.from}-${range.to}/${bytes.length}`)
      .send(bytes.subarray(range.from, range.to + 1))
  }
}

/** One range, both ends included, as players ask for it; null for anything else, which then gets all of it. */
function rangeOf(header: string | undefined, length: number): { readonly from: number; readonly to: number } | null {
  const found = /^bytes=(\d+)-(\d*)$/.exec(header ?? '')
  if (found === null) return null
  const from = Number(found[1])
  const to = Math.min(length - 1, found[2] ? Number(found[2]) : length - 1)
  return from > to ? null : { from, to }
}

const theFile = (request: FastifyRequest, limit: number): Promise<Incoming> => readParts(() => readFile(request, limit))

/** The one file of a multipart body. A stream cut at its limit looks complete, so its flag is asked (413 then, never a torso). */
async function readFile(request: FastifyRequest, limit: number): Promise<Incoming> {
  if (!request.isMultipart()) throw refused(2, [{ path: 'file', code: 2, message: 'A multipart body with a file is expected' }])
  const limits = { fileSize: limit, files: 1, fields: 10, parts: 12 }
  const part = await request.file({ limits }).catch(() => undefined)
  if (part === undefined) throw refused(2, [{ path: 'file', code: 2, message: 'Field is required.', key: 'required' }])
  const chunks: Buffer[] = []
  for await (const chunk of part.file) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), name: part.filename, cut: part.file.truncated }
}
