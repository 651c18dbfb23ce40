import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { may, sees } from '#domain/kit/access'
import * as contract from '#contract/files'
import { isKnown } from '#api/http/etag'
import { authorize, homeOrChosen } from '#api/http/caller'
import { ARCHIVE_LIMIT, SOUND_LIMIT, VIDEO_LIMIT, type ByteRange } from '#commands/files/media'
import { bannerAddress, bannerPath, fileAddress } from '#domain/campaign/content/file-addresses'
import { pageTag, servedPage } from './banner-script.ts'
import {
  isPage,
  isScriptOfApplication,
  mayLoad,
  NOT_FOR_BANNERS,
  servedBanner,
  servedFile,
  type Served as ServedFile,
} from './serving.ts'
import type { FileRecord, Owner } from '#platform/files/stored-files'
import { createUploads } from './uploads.ts'
import type { Call } from '#api/http/call'
import { theFile } from '#api/http/multipart'
import { personOf } from '#api/http/person'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { reject } from '#domain/kit/errors'
import { RangeBeyond, Refused, refused } from '#commands/refused'

/** Bits per second of a video. */
const bitRateOf = ({ content_type: type, bytes, seconds }: FileRecord): number | null =>
  type.startsWith('video/') && seconds !== null ? Math.round((bytes * 8) / seconds) : null

/** Answer of a banner's page outside a frame. */
const NOTICE = 'This page is part of an advertisement. It is shown only inside a frame'

/** Uploads and stored files. */
export function registerFileRoutes(app: FastifyInstance, kit: Served<'accounts' | 'files' | 'media'>): void {
  const { accounts, config, files, guards, media } = kit
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
    file_url: fileAddress(file.id),
    width: file.width,
    height: file.height,
    size: file.bytes,
    content_type: file.content_type,
    format_key: media.formatKey(file.content_type),
    duration: file.seconds,
    frame_rate: file.frame_rate,
    bit_rate: bitRateOf(file),
    name: file.name,
    preview_url: file.entries === null ? null : bannerAddress(file.id),
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

  /**
   * Readers who may read a file now: everybody once a review approved it; before that who has a token of it, and users who may
   * read campaigns of its account (fine print 72).
   */
  async function audienceOf(record: FileRecord, token: string | null, { identity }: Pick<Call, 'identity'>) {
    if (record.reviewed) return 'everybody'
    if (token !== null && guards.fileTokens.isGood(record.id, token)) return 'holder'
    if (identity.kind !== 'person' || (identity.scopes !== undefined && !identity.scopes.includes('read'))) return null
    const account = await accounts.find(record.space_id)
    const place = account === null ? null : { spaceId: record.space_id, whitelabelId: account.whitelabel_id }
    return place !== null && sees(identity.actor, place) && may(identity.actor, 'campaign.read', place) ? 'holder' : null
  }

  register(app, guards, contract.readFile, async (call, reply) => {
    const record = await files.find(call.params.id)
    const audience = record === null ? null : await audienceOf(record, call.query.token ?? null, call)
    if (record === null || audience === null) throw refused(132)
    return send(reply, { headers: servedFile(record), audience }, record)
  })

  register(app, guards, contract.playBanner, async (call, reply) => {
    const { token, entry: path } = bannerPath(call.params['*'])
    const { headers, host } = reply.request
    const record = await files.find(call.params.id)
    const entry = Object.entries(record?.entries ?? {}).find(([known]) => known === path)?.[1]
    const audience = record === null ? null : await audienceOf(record, token, call)
    if (record === null || entry === undefined || audience === null || isScriptOfApplication(headers)) throw refused(132)
    const served = servedBanner(entry, record.id, [host, config.contentOrigin ?? config.publicOrigin])
    if (!mayLoad(headers, entry)) throw new Refused(reject(3, [], NOTICE))
    const as: ServedFile = { headers: served, audience, without: NOT_FOR_BANNERS }
    return isPage(entry) ? sendPage(reply, as, entry) : send(reply, as, entry)
  })

  type Blob = { readonly sha256: string; readonly bytes: number }
  type Kept = { readonly etag: string; readonly caching: string; readonly ranges: 'bytes' | 'none' }
  /** Headers of a file are set once it has been read: they belong to no error. */
  const keptWith =
    (reply: FastifyReply, { headers, audience, without = [] }: ServedFile, { etag, caching, ranges }: Kept) =>
    (): FastifyReply => {
      for (const header of without) reply.raw.removeHeader(header)
      // A browser that was shown a file may keep it; a cache that others share may not.
      const scope = audience === 'everybody' ? 'public' : 'private'
      return reply.headers({ ...headers, ETag: etag, 'Cache-Control': `${scope}, ${caching}`, 'Accept-Ranges': ranges })
    }
  // For HEAD a stream: Fastify replaces the length by that of any other payload.
  const nothingFor = ({ method }: FastifyRequest) => (method === 'HEAD' ? Readable.from([]) : undefined)

  /** Answers with a banner's page as it is served, whole, or 304. A new version of its script is there within a day. */
  async function sendPage(reply: FastifyReply, as: ServedFile, entry: Blob) {
    const { request } = reply
    const etag = pageTag(entry.sha256)
    const kept = keptWith(reply, as, { etag, caching: 'max-age=86400', ranges: 'none' })
    const nothing = nothingFor(request)
    if (isKnown(request, etag)) return kept().code(304).send(nothing)
    const page = servedPage(await files.read(entry))
    return kept()
      .header('Content-Length', page.length)
      .send(nothing ?? page)
  }

  /** Answers with the file, a part of it, or 304. */
  async function send(reply: FastifyReply, as: ServedFile, blob: Blob) {
    const { request } = reply
    const etag = `"${blob.sha256}"`
    const kept = keptWith(reply, as, { etag, caching: 'max-age=31536000, immutable', ranges: 'bytes' })
    const nothing = nothingFor(request)
    if (isKnown(request, etag)) return kept().code(304).send(nothing)
    if (nothing !== undefined) {
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
      const content = await files.send(blob)
      return kept().header('Content-Length', blob.bytes).send(content)
    }
    const content = await files.sendRange(blob, range)
    return kept()
      .code(206)
      .headers({ 'Content-Range': `bytes ${range.from}-${range.to}/${blob.bytes}`, 'Content-Length': range.to - range.from + 1 })
      .send(content)
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
