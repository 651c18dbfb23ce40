import type { FastifyInstance, FastifyRequest } from 'fastify'
import '@fastify/multipart'
import { readFile, uploadBanner } from '../contract/files.ts'
import { authorize, homeOrChosen } from '../campaigns/caller.ts'
import type { AccountView } from '../campaigns/campaign-calls.ts'
import { IMAGE_LIMIT, type Uploads } from '../files/uploads.ts'
import { personOf } from '../http/person.ts'
import { register, type Doorkeepers } from '../http/register.ts'
import { refused } from '../refused.ts'

export type FileRouteDeps = {
  readonly uploads: Uploads
  readonly accounts: { readonly find: (spaceId: string) => Promise<AccountView | null> }
}

/** Uploads and the files they leave. */
export function registerFileRoutes(app: FastifyInstance, doors: Doorkeepers, { uploads, accounts }: FileRouteDeps): void {
  register(app, doors, uploadBanner, async (call, reply) => {
    const actor = personOf(call)
    const spaceId = call.query.space_id ?? homeOrChosen(actor)
    const account = await accounts.find(spaceId)
    const place = account === null ? null : { spaceId, whitelabelId: account.whitelabel_id }
    authorize(actor, 'campaign.write', place)
    const { bytes, name } = await theFile(reply.request)
    return uploads.banner({ bytes, name, width: call.query.width, height: call.query.height, place, userId: actor.userId })
  })

  register(app, doors, readFile, async (call, reply) => {
    const record = await uploads.find(call.params.id)
    if (record === null) throw refused(132)
    const etag = `"${record.sha256}"`
    void reply.headers({
      'Content-Type': record.content_type,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: etag,
    })
    if (reply.request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.send(await uploads.read(record))
  })
}

/** The one file of a multipart body. A stream cut at its limit looks complete, so its flag is asked (413 then, never a torso). */
async function theFile(request: FastifyRequest): Promise<{ readonly bytes: Buffer; readonly name: string }> {
  if (!request.isMultipart()) throw refused(2, [{ path: 'file', code: 2, message: 'A multipart body with a file is expected' }])
  const part = await request.file({ limits: { fileSize: IMAGE_LIMIT, files: 1, fields: 10, parts: 12 } }).catch(() => undefined)
  if (part === undefined) throw refused(2, [{ path: 'file', code: 2, message: 'Field is required.' }])
  const chunks: Buffer[] = []
  for await (const chunk of part.file) chunks.push(chunk)
  if (part.file.truncated)
    throw refused(8, [{ path: 'file', code: 8, message: 'Original image is too big, must be under 500000 bytes' }])
  return { bytes: Buffer.concat(chunks), name: part.filename }
}
