import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/files'
import { authorize, homeOrChosen } from '#api/http/caller'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { bannerAddress, fileAddress } from '#domain/campaign/content/file-addresses'
import { kindOf, libraryOf, type LibraryFile } from '#projections/campaign/list/library-queries'
import type { Served } from '#api/areas/services'

const SEPARATOR = '_'

const out = (file: LibraryFile) => ({
  file_id: file.id,
  file_url: fileAddress(file.id),
  name: file.name,
  kind: kindOf(file.content_type),
  content_type: file.content_type,
  width: file.width,
  height: file.height,
  size: file.bytes,
  duration: file.seconds,
  preview_url: file.is_html ? bannerAddress(file.id) : null,
  warnings: [...file.warnings],
  used_at: file.used_at,
  campaigns: file.campaigns,
  reviewed: file.reviewed,
})

/** The library of an account: the files that its campaigns use. */
export function registerLibraryRoutes(app: FastifyInstance, { accounts, db, guards }: Served<'accounts' | 'db'>): void {
  register(app, guards, contract.fileLibrary, async (call) => {
    const actor = personOf(call)
    const { space_id: asked, name, kind, role, width, height, after, page_size: size } = call.query
    const spaceId = asked ?? homeOrChosen(actor)
    const account = await accounts.opened(spaceId)
    const place = account === null ? null : { spaceId, whitelabelId: account.whitelabel_id }
    authorize(actor, 'campaign.read', place, asked === undefined ? 110 : 1420)
    const found = await libraryOf(db, spaceId, {
      name: name ?? null,
      kind: kind ?? null,
      role: role ?? null,
      width: width ?? null,
      height: height ?? null,
      after: placeOf(after),
      limit: size + 1,
    })
    const files = found.slice(0, size)
    const last = files.at(-1)
    return {
      files: files.map(out),
      next: found.length <= size || last === undefined ? null : `${last.used_at}${SEPARATOR}${last.id}`,
    }
  })
}

function placeOf(after: string | undefined) {
  if (after === undefined) return null
  const at = after.indexOf(SEPARATOR)
  return { usedAt: after.slice(0, at), id: after.slice(at + 1) }
}
